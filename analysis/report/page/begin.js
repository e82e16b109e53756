const data = JSON.parse(document.getElementById("data").textContent);
followColours();
if (data.kind === "run")
  runPage(data);
else
  comparisonPage(data);
contents();
drawCharts();
document.documentElement.dataset.ready = "true";
