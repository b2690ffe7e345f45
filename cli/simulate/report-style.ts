/** The look of a simulation's report: the dashboard's colours, dark and light, and on paper. */
export const REPORT_STYLE = `
:root{color-scheme:light dark;--bg:#f4f4ef;--paper:#fffefb;--ink:#14191e;--soft:#4b5157;--rule:#dcdad1;--blue:#0f5c9c;--orange:#a84a08;--wash:#0f5c9c1f;--bar:#0f5c9c40}
@media(prefers-color-scheme:dark){:root{--bg:#101317;--paper:#191d22;--ink:#e9ebed;--soft:#a8b0b8;--rule:#30363d;--blue:#6db3f2;--orange:#f0a35c;--wash:#6db3f226;--bar:#6db3f24d}}
*{box-sizing:border-box;margin:0;padding:0}
html{background:var(--bg);color:var(--ink);font:400 .9375rem/1.5 "Helvetica Neue","Segoe UI",Roboto,"Noto Sans","Liberation Sans",system-ui,sans-serif;font-variant-numeric:tabular-nums lining-nums;overflow-wrap:anywhere}
body{max-width:64rem;margin:0 auto;padding:2rem 1rem 3rem}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.01em}
h2{font-size:1.1rem;margin-bottom:.5rem}
p+p,header p{margin-top:.4rem}
.soft,footer,figcaption p{color:var(--soft)}
section{margin-top:1.25rem;padding:1rem 1.1rem;background:var(--paper);border:1px solid var(--rule);border-radius:.5rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.9rem 1.25rem}
.figures dt{color:var(--soft);font-size:.8125rem}
.figures dd{font-size:1.35rem;line-height:1.3}
.figures small{display:block;color:var(--soft);font-size:.8125rem}
figure+figure{margin-top:1.75rem}
figcaption h2{margin-bottom:.15rem}
.wide{overflow-x:auto}
.wide:focus-visible,summary:focus-visible{outline:3px solid var(--blue);outline-offset:2px}
svg{display:block;width:100%;min-width:42rem;height:auto}
svg text{font-size:11.5px;fill:var(--soft)}
svg .height{text-anchor:end;dominant-baseline:middle}
svg .moment{text-anchor:middle}
svg .legend{dominant-baseline:middle;fill:var(--ink)}
svg .grid{stroke:var(--rule)}
svg polyline,svg line.first,svg line.second,svg line.limit{fill:none;stroke-width:2;stroke-linejoin:round}
svg .first{stroke:var(--blue)}
svg polygon.first{stroke:none;fill:var(--wash)}
svg .second{stroke:var(--orange);stroke-dasharray:7 3}
svg .limit{stroke:var(--ink);stroke-dasharray:2 4}
summary{margin-top:.4rem;cursor:pointer;color:var(--soft)}
table{width:100%;border-collapse:collapse;margin-top:.4rem}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--rule);text-align:end;white-space:nowrap}
th:first-child,td:first-child{text-align:start;padding-inline-start:0;white-space:normal}
thead th{color:var(--soft);font-weight:400;font-size:.8125rem;vertical-align:bottom;white-space:normal}
tbody th{font-weight:400}
tr.given>*,tfoot>tr>*{font-weight:650}
footer{margin-top:1.25rem;font-size:.8125rem}
@media print{:root{--bg:#fff;--paper:#fff}section{break-inside:avoid}}
`;
