/** The look of a simulation's report: the dashboard's colours, dark and light, and on paper. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--bg:#f4f4ef;--paper:#fffefb;--ink:#14191e;--soft:#4b5157;--rule:#dcdad1;--blue:#0f5c9c;--orange:#a84a08;--wash:#0f5c9c1f;--bar:#0f5c9c59}
@media(prefers-color-scheme:dark){:root{--bg:#101317;--paper:#191d22;--ink:#e9ebed;--soft:#a8b0b8;--rule:#30363d;--blue:#6db3f2;--orange:#f0a35c;--wash:#6db3f226;--bar:#6db3f266}}
*{box-sizing:border-box;margin:0;padding:0}
html{background:var(--bg);color:var(--ink);font:400 .9375rem/1.5 "Helvetica Neue","Segoe UI",Roboto,"Noto Sans","Liberation Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums lining-nums;overflow-wrap:break-word}
body{max-width:72rem;margin:0 auto;padding:2.25rem 1rem 3rem}
header{max-width:44rem}
h1{font-size:clamp(1.6rem,1.2rem + 2vw,2.25rem);line-height:1.15;letter-spacing:-.015em;margin:.1rem 0 .6rem;text-wrap:balance}
h2{font-size:1.1rem;line-height:1.3;margin-bottom:.5rem}
p+p{margin-top:.3rem}
.soft,footer,figcaption p{color:var(--soft)}
section,figure{padding:1.1rem 1.2rem;background:var(--paper);border:1px solid var(--rule);border-radius:.6rem}
section{margin-top:1.1rem}
.figures{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:1.1rem 1.5rem}
.figures dt{color:var(--soft);font-size:.8125rem}
.figures dd{font-size:1.35rem;line-height:1.3}
.figures .main{padding-bottom:1rem;border-bottom:1px solid var(--rule)}
.figures .main dd{font-size:clamp(1.5rem,1rem + 2.4vw,2.2rem);line-height:1.2;font-weight:650;letter-spacing:-.015em;color:var(--blue)}
.figures small{display:block;color:var(--soft);font-size:.8125rem;font-weight:400;line-height:1.4;letter-spacing:0}
.plots{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1.1rem;padding:0;background:none;border:0}
figure{display:flex;flex-direction:column}
figure details{margin-top:auto}
figcaption{margin-bottom:.6rem}
figcaption h2{margin-bottom:.1rem}
.wide{overflow-x:auto}
.wide:focus-visible,summary:focus-visible{outline:3px solid var(--blue);outline-offset:2px}
svg{display:block;width:100%;height:auto}
svg.narrow{display:none}
svg text{font-size:11.5px;fill:var(--soft)}
svg .height{text-anchor:end;dominant-baseline:middle}
svg .moment{text-anchor:middle}
svg .legend{dominant-baseline:middle;fill:var(--ink)}
svg .late{text-anchor:end}
svg text.mark{fill:var(--ink)}
svg .grid{stroke:var(--rule)}
svg polyline,svg line.first,svg line.second,svg line.limit{fill:none;stroke-width:2;stroke-linejoin:round}
svg .first{stroke:var(--blue)}
svg polygon.first{stroke:none;fill:var(--wash)}
svg .second{stroke:var(--orange);stroke-dasharray:7 3}
svg .limit{stroke:var(--ink);stroke-dasharray:2 4}
svg line.mark{stroke:var(--orange);stroke-width:1.5}
summary{margin-top:.5rem;padding:.25rem 0;cursor:pointer;color:var(--soft)}
table{width:100%;border-collapse:collapse;margin-top:.4rem}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--rule);text-align:end;vertical-align:top;white-space:nowrap}
th:first-child,td:first-child{text-align:start;padding-inline-start:0;white-space:normal;min-width:7.5rem}
tbody tr:last-child>*{border-bottom-color:transparent}
thead th{color:var(--soft);font-weight:400;font-size:.8125rem;vertical-align:bottom;white-space:normal}
tbody th{font-weight:400}
tfoot>tr>*{border-bottom:0;border-top:2px solid var(--rule)}
tr.given>*,tfoot>tr>*{font-weight:650}
.bar{display:block;width:100%;min-width:5rem;height:.25rem;margin-top:.15rem;direction:rtl}
.bar i{display:block;height:100%;border-radius:.125rem;background:var(--bar)}
footer{margin-top:1.25rem;font-size:.8125rem}
@media(max-width:52rem){.plots{grid-template-columns:minmax(0,1fr)}}
@media(max-width:34rem){body{padding-top:1.25rem}section,figure{padding:.9rem .95rem}.plots{padding:0}.figures{grid-template-columns:repeat(2,minmax(0,1fr));gap:.9rem 1rem}.figures .main{grid-column:1/-1;padding-bottom:.8rem}svg.broad{display:none}svg.narrow{display:block}.wide th:first-child{position:sticky;inset-inline-start:0;background:var(--paper)}}
@media print{:root{--bg:#fff;--paper:#fff}body{max-width:none;padding:0}section,figure{break-inside:avoid}.plots{break-inside:auto}summary{display:none}}
`;
