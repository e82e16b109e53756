# Completion of fedrecsim for bash. What can be typed comes from the program itself (fedrecsim complete).
# shellcheck shell=bash
_fedrecsim() {
    local line=${COMP_LINE:0:COMP_POINT} word kept='' path candidate
    local -a words=()
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    word=${words[-1]}
    # Bash replaces what stands behind the last "=" alone.
    [[ $COMP_WORDBREAKS == *=* && $word == *=* ]] && kept=${word%"${word##*=}"}
    COMPREPLY=()
    while IFS=$'\t' read -r candidate _; do
        case $candidate in
        :files | :folders)
            path=$word
            [[ $word == -*=* ]] && path=${word#*=}
            compopt -o filenames 2>/dev/null
            if [[ $candidate == :files ]]; then
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$path")
            else
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$path")
            fi
            ;;
        "$word"*)
            COMPREPLY+=("${candidate#"$kept"}")
            [[ $candidate == *= ]] && compopt -o nospace 2>/dev/null
            ;;
        esac
    done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _fedrecsim fedrecsim
