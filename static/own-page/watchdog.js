/* For a browser in which the script of an own page never starts: looks again every 20 seconds.
   Nothing newer than ES5 here. */
(function () {
  var to = JSON.parse(document.getElementById("seiriken-boot").textContent).to;
  setTimeout(function () {
    if (!window.seiriken) location.replace(to);
  }, 20000);
})();
