// Records inside a page have the page's colours: Furo keeps the reader's choice in data-theme.
(() => {
  const colour = () => {
    const theme = document.body.dataset.theme;
    for (const frame of document.querySelectorAll(".ws-played iframe")) {
      const address = new URL(frame.src);
      if (theme === "light" || theme === "dark") address.searchParams.set("theme", theme);
      else address.searchParams.delete("theme");
      if (address.href !== frame.src) frame.src = address.href;
    }
  };
  document.addEventListener("DOMContentLoaded", () => {
    colour();
    new MutationObserver(colour).observe(document.body, { attributeFilter: ["data-theme"] });
  });
})();
