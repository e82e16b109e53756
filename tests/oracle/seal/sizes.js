// Bytes of real CKKS ciphertexts, uncompressed: NAME VALUES BYTES SEEDED a line; seeded: sealed with the symmetric key, a seed standing
// for its random half. SEAL 4.1.2 as WebAssembly.
const SEAL = require('node-seal');

const presets = [
    ['seal_4096', 4096, [36, 36, 37]],
    ['seal_8192', 8192, [60, 40, 60]],
    ['seal_8192_deep', 8192, [60, 40, 40, 60]],
    ['seal_16384', 16384, [60, 40, 40, 60]],
    ['seal_32768', 32768, [60, 40, 40, 60]],
];

async function main() {
    const seal = await SEAL();
    for (const [name, degree, primes] of presets) {
        const parameters = seal.EncryptionParameters(seal.SchemeType.ckks);
        parameters.setPolyModulusDegree(degree);
        parameters.setCoeffModulus(seal.CoeffModulus.Create(degree, Int32Array.from(primes)));
        const context = seal.Context(parameters, true, seal.SecurityLevel.none);
        const keys = seal.KeyGenerator(context);
        const encryptor = seal.Encryptor(context, keys.createPublicKey(), keys.secretKey());
        const values = Float64Array.from({length: degree / 2}, (_, i) => i / degree);
        const plain = seal.CKKSEncoder(context).encode(values, 2 ** 25);
        const bytes = (sealed) => sealed.saveArray(seal.ComprModeType.none).length;
        const seeded = encryptor.encryptSymmetricSerializable(plain);
        console.log(name, degree / 2, bytes(encryptor.encrypt(plain)), bytes(seeded));
    }
}

main().catch((error) => {
    console.error(error);
    process.exit(1);
});
