// Light or dark, as chosen before; loaded before the page is drawn so that it does not flash.
"use strict";
{
  const read = () => { try { return localStorage.getItem("textbayes-theme"); } catch { return null; } };
  const theme = read();
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
