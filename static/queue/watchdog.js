/* For a browser in which the page's own script never starts, and so never takes this back: looks again
   after 20 seconds. Nothing newer than ES5 here. */
window.watchdog = setTimeout(function () {
  location.replace(document.getElementById("go").href);
}, 20000);
