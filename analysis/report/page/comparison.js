function comparisonPage(data) {}
