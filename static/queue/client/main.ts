document.documentElement.className = "scripts";
