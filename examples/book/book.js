// Shows one chapter at a time, that which the address names or which holds what it names. Without scripts all
// of them stand below each other.
const sections = [...document.querySelectorAll("main > section")];
const links = [...document.querySelectorAll("nav a, .symbols a")];
document.body.classList.add("pages");
function show() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1))) || sections[0];
    const chapter = target.closest("main > section");
    for (const s of sections) s.classList.toggle("shown", s === chapter);
    document.title = "sooth: " + chapter.querySelector("h2").textContent;
    if (!location.hash) return; // who comes first sees the search and the contents
    if (target === chapter) scrollTo(0, matchMedia("(max-width: 50rem)").matches ? chapter.offsetTop : 0);
    else target.scrollIntoView();
}
addEventListener("hashchange", show);
show();
// The search narrows the contents to chapters whose text holds all words; a public name goes to its place.
const text = sections.map(s => s.textContent.toLowerCase());
document.getElementById("search").addEventListener("input", event => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(w => w);
    for (const a of document.querySelectorAll("nav a")) {
        const at = sections.findIndex(s => "#" + s.id === a.getAttribute("href"));
        a.parentElement.hidden = words.length > 0 && !words.every(w => text[at].includes(w));
    }
});
document.getElementById("search").addEventListener("keydown", event => {
    if (event.key !== "Enter") return;
    const name = event.target.value.trim();
    const first = document.getElementById(name) ? "#" + name
        : (document.querySelector("nav li:not([hidden]) a") || {}).hash;
    if (first) location.hash = first;
});
