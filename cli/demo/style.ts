/** The demo shop's look: its own, so that it is plain which page is the shop's and which is ours. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fdf8f1;--ink:#241a33;--soft:#6c5f7d;--line:#e5dacb;--card:#fff;--accent:#a8392f;--on-accent:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#151024;--ink:#f4ecdf;--soft:#b3a6c4;--line:#35294f;--card:#1f1834;--accent:#ffb38a;--on-accent:#2a130a}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 ui-sans-serif,system-ui,sans-serif;min-height:100vh;display:flex;flex-direction:column}
a{color:inherit;text-underline-offset:.2em}:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
header,main,footer{width:100%;max-width:68rem;margin:0 auto;padding:1.25rem clamp(1rem,4vw,2.5rem)}
header{display:flex;justify-content:space-between;align-items:baseline}.name{font:600 1.25rem/1.2 ui-serif,Georgia,serif;text-decoration:none}
main{flex:1}footer{color:var(--soft);font-size:.875rem}
h1{font:600 clamp(2rem,5vw,3.25rem)/1.1 ui-serif,Georgia,serif;margin:.25em 0 .5em;text-wrap:balance}h2{font-size:1rem;margin:0 0 .5rem}
.eyebrow{margin:0;color:var(--accent);font-weight:600;font-size:.9375rem}
.hero{display:grid;gap:clamp(1.25rem,4vw,3rem);align-items:center}.hero img{width:100%;height:auto;border-radius:1rem;display:block}
@media(min-width:52rem){.hero{grid-template-columns:1.2fr 1fr}}
.button,button{display:inline-block;border:0;border-radius:.75rem;padding:.8em 1.5em;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;line-height:1.2;text-decoration:none;cursor:pointer}
.about,.gate{margin-top:2.5rem;padding-top:1.5rem;border-top:1px solid var(--line);max-width:44rem}
pre{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.8rem 1rem;overflow-x:auto;font-size:.9375rem}
.order{max-width:44rem}fieldset{border:0;padding:0;margin:0 0 1.5rem;display:grid;gap:.75rem}legend{font-weight:600;padding:0;margin-bottom:.5rem}
.tier{display:grid;grid-template:"pick name price" auto "pick about left" auto/auto 1fr auto;column-gap:1rem;align-items:center;background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.9rem 1.1rem;cursor:pointer}
.tier:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.tier input{grid-area:pick;margin:0;accent-color:var(--accent);width:1.2rem;height:1.2rem}
.tier-name,.tier-price{font-weight:600}.tier-about,.tier-left{color:var(--soft);font-size:.9375rem}.tier-name{grid-area:name}.tier-about{grid-area:about}.tier-price{grid-area:price}.tier-left{grid-area:left}.tier-price,.tier-left{text-align:end;font-variant-numeric:tabular-nums}
.how-many{display:flex;flex-wrap:wrap}.how-many legend{float:left;width:100%}.how-many label{cursor:pointer}.how-many input{position:absolute;opacity:0}
.how-many span{display:grid;place-items:center;width:3.25rem;height:3.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card);font-weight:600}
.how-many :checked+span{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}.how-many :focus-visible+span{outline:3px solid var(--accent);outline-offset:3px}
.quiet{color:var(--soft)}.problem{border-inline-start:4px solid var(--accent);padding:.25rem 0 .25rem 1rem;font-weight:600}
.stub{display:flex;gap:1rem;align-items:baseline;flex-wrap:wrap;font-size:1.375rem;border:2px dashed var(--line);border-radius:1rem;padding:1.25rem 1.5rem;background:var(--card)}.stub span:last-child{margin-inline-start:auto;font-variant-numeric:tabular-nums}
.gate dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:1rem;margin:0}.gate div{min-width:0}.gate dt{color:var(--soft);font-size:.875rem}.gate dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
`;
