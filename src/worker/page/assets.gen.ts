// Made by scripts/build-page.ts from static/queue. Edit there, then build again.

import type { Catalogs } from "../../page/words.ts";

export const template =
  '<!doctype html>\n<html lang="{{lang}}" dir="{{dir}}">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="color-scheme" content="light dark">\n<meta name="theme-color" content="{{themeLight}}" media="(prefers-color-scheme:light)">\n<meta name="theme-color" content="{{themeDark}}" media="(prefers-color-scheme:dark)">\n<title>{{view.title}}</title>\n<link rel="icon" href="{{icon}}">\n{{#refresh}}{{^reloads}}<noscript>{{/reloads}}<meta http-equiv="refresh" content="{{refresh}};url={{to}}">{{^reloads}}</noscript>{{/reloads}}{{/refresh}}\n<style nonce="{{nonce}}">{{{palette}}}{{{css}}}{{#event}}{{{eventCss}}}{{/event}}</style>\n</head>\n<body data-phase="{{view.phase}}"{{#paused}} data-paused{{/paused}}{{#view.number}} data-ticket{{/view.number}}>\n<header>\n{{#logo}}<img src="{{logo}}" alt="">{{/logo}}\n<p dir="auto">{{name}}</p>\n</header>\n<main>\n<div class="top">\n<h1 id="headline" tabindex="-1">{{view.headline}}</h1>\n<dl class="facts">\n<div><dt{{#event}} id="aheadLabel"{{/event}}>{{s.ahead}}</dt><dd id="ahead">{{view.ahead}}</dd></div>\n<div><dt{{#event}} id="waitLabel"{{/event}}>{{s.wait}}</dt><dd id="wait">{{view.wait}}</dd><dd id="why">{{view.why}}</dd></div>\n</dl>\n<ul id="notices">{{#view.notices}}<li>{{.}}</li>{{/view.notices}}</ul>\n<div class="slot">\n<div class="ticket">\n<p class="band">{{s.number}}</p>\n<p class="face"><svg id="face" viewBox="0 0 {{width}} 76"><text id="number" x="50%" y="74" text-anchor="middle" textLength="{{width}}" lengthAdjust="spacingAndGlyphs">{{view.number}}</text></svg></p>\n<div class="rest">\n<p class="tear"></p>\n<p class="stub"><span id="taken">{{view.taken}}</span><span>{{s.reference}}</span></p>\n</div>\n</div>\n</div>\n<div class="say">\n<p id="lead"{{#closed}} dir="auto"{{/closed}}>{{view.lead}}</p>\n<p class="act">\n<a class="button" id="go" href="{{to}}">{{s.goIn}}</a>\n<button class="button" id="again" type="button">{{view.again}}</button>\n</p>\n{{#event}}<p id="fairBox"{{^view.fair}} hidden{{/view.fair}}><span id="fair">{{view.fair}}</span> <a id="check" href="{{check}}" target="_blank">{{s.check}}</a></p>{{/event}}\n<section class="message" id="messageBox"{{^view.message}} hidden{{/view.message}}>\n<h2>{{s.message}}</h2>\n<p id="message" dir="auto">{{view.message}}</p>\n</section>\n</div>\n</div>\n{{#reloads}}<section class="scriptless"><p>{{s.reloads}}</p><p><a class="button" href="{{to}}">{{s.checkNow}}</a></p></section>{{/reloads}}\n{{^reloads}}<noscript><section class="scriptless"><p>{{s.scriptless}}{{#scriptlessTaking}} {{scriptlessTaking}}{{/scriptlessTaking}}</p><p><a class="button" href="{{to}}">{{s.checkNow}}</a></p></section></noscript>{{/reloads}}\n<figure class="line"{{^view.placed}} hidden{{/view.placed}}>\n<svg id="line" width="100%" height="92" role="img" aria-label="{{s.line}}">\n<defs>\n<path id="person" d="M11 0a5.5 5.5 0 0 1 0 11a5.5 5.5 0 0 1 0-11M2.5 36v-11a8.5 8.5 0 0 1 17 0v11a1.5 1.5 0 0 1-1.5 1.5h-14a1.5 1.5 0 0 1-1.5-1.5"/>\n<pattern id="before" width="26" height="38" patternUnits="userSpaceOnUse"><use href="#person" x="2"/></pattern>\n<pattern id="behind" width="26" height="38" patternUnits="userSpaceOnUse"><use href="#person" x="2"/></pattern>\n</defs>\n<path class="floor" d="M0 82.5H4000"/>\n<svg x="46" y="43" width="4000" height="39">\n<g class="crowd" transform="translate({{x}})">\n<rect id="crowdBefore" fill="url(#before)" x="-15600" width="15600" height="38"/>\n<rect id="crowdBehind" fill="url(#behind)" x="26" width="{{behind}}" height="38"/>\n</g>\n</svg>\n<path class="door" d="M3 82V40a18 18 0 0 1 36 0v42"/>\n<g class="crowd" transform="translate({{x}})">\n<g transform="translate(48 43)" class="you"><use href="#person"/><g transform="translate(11 -14)"><text text-anchor="middle">{{s.you}}</text></g></g>\n</g>\n</svg>\n<figcaption><span id="progress">{{view.progress}}</span> <span id="figures"></span> <span id="heard">{{view.heard}}</span></figcaption>\n</figure>\n<section class="holds">\n<h2>{{s.holds}}</h2>\n<ul>\n<li><b>{{spans.returnWindow}}</b> <span>{{s.holdsReturn}}</span></li>\n{{^reloads}}\n<li><b>{{spans.claimWithin}}</b> <span>{{s.holdsClaim}}</span></li>\n<li><b>{{spans.session}}</b> <span>{{s.holdsSession}}</span></li>\n{{/reloads}}\n</ul>\n</section>\n<section class="choices scripted">\n<button id="sound" type="button" aria-pressed="false">{{s.sound}}</button>\n<button id="notify" type="button" aria-pressed="false">{{s.notify}}</button>\n<button id="takeIn" type="button" aria-pressed="false" aria-describedby="takeInHint">{{s.takeIn}}</button>\n<p id="takeInHint">{{s.takeInHint}}</p>\n<button id="giveUp" type="button" aria-expanded="false" aria-controls="giveUpBox">{{s.giveUp}}</button>\n<div id="giveUpBox" hidden><p id="giveUpAsk"></p><button class="button" id="giveUpNo" type="button">{{s.giveUpNo}}</button><button id="giveUpYes" type="button">{{s.giveUpYes}}</button></div>\n</section>\n<p id="status" class="unseen" role="status"></p>\n<p id="alert" class="unseen" role="alert"></p>\n</main>\n{{^reloads}}\n<script type="application/json" id="boot">{{{boot}}}</script>\n<script nonce="{{nonce}}" data-to="{{to}}" id="watchdog">{{{watchdog}}}</script>\n{{#proof}}<script nonce="{{nonce}}" src="{{script}}"></script>\n{{/proof}}\n<script nonce="{{nonce}}">{{{script}}}</script>\n{{/reloads}}\n</body>\n</html>\n';

export const errorTemplate =
  '<!doctype html>\n<html lang="{{lang}}" dir="{{dir}}">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n<meta name="robots" content="noindex">\n<meta name="color-scheme" content="light dark">\n<meta name="theme-color" content="{{themeLight}}" media="(prefers-color-scheme:light)">\n<meta name="theme-color" content="{{themeDark}}" media="(prefers-color-scheme:dark)">\n<title>{{title}} · {{name}}</title>\n<link rel="icon" href="{{icon}}">\n<style>{{{palette}}}{{{css}}}{{{errorCss}}}</style>\n</head>\n<body data-phase="error" data-ticket>\n<header>\n{{#logo}}<img src="{{logo}}" alt="">{{/logo}}\n<p dir="auto">{{name}}</p>\n</header>\n<main>\n<div class="top">\n<h1 id="headline">{{title}}</h1>\n<div class="slot">\n<div class="ticket">\n<p class="band">{{t.reference}}</p>\n<p class="face"><b class="reference">{{reference}}</b></p>\n<div class="rest">\n<p class="tear"></p>\n<p class="stub"><span>{{t.tell}}</span></p>\n</div>\n</div>\n</div>\n<div class="say">\n<p id="lead">{{detail}}{{#byItself}} {{byItself}}{{/byItself}}</p>\n{{#way}}<p class="act"><a class="button" href="{{to}}">{{label}}</a></p>{{/way}}\n</div>\n</div>\n</main>\n</body>\n</html>\n';

export const errorCss =
  "[data-phase=error] .act>*{display:inline-block}[data-phase=error] .face{display:block;padding:2.5rem 1rem}.reference{font-size:1.75rem;font-size:min(2.5rem,8.5vw);line-height:1.2;letter-spacing:.06em;font-variant-numeric:tabular-nums lining-nums;-webkit-user-select:all;-moz-user-select:all;user-select:all}";

export const css =
  '*{box-sizing:border-box;margin:0;padding:0}html{background:var(--bg);color:var(--ink);font:400 1.0625rem/1.55 Helvetica Neue,Segoe UI,Roboto,Noto Sans,Liberation Sans,Hiragino Sans,Hiragino Kaku Gothic ProN,Yu Gothic UI,Meiryo,Noto Sans JP,Noto Sans CJK JP,system-ui,sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%;overflow-wrap:break-word}:lang(ja){line-break:strict;word-break:auto-phrase}body{max-width:64rem;min-height:100vh;margin:0 auto;padding:.75rem 1rem 3rem;padding:min(.75rem,4vw) min(1rem,5vw) 3rem}ul{list-style:none}b,h1,h2,dd{font-weight:650}[hidden],.unseen:not(:focus),html:not(.scripts) .scripted{display:none}.unseen:not(:focus){display:block;position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);white-space:nowrap}header{display:flex;align-items:center;padding:.25rem 0 .75rem;font-weight:650;line-height:1.3}header p{min-width:0}header img{max-width:9rem;max-height:2.5rem;margin-inline-end:.75rem}#notices:empty{display:none}#notices li{margin:.25rem 0 .5rem;padding:.75rem 1rem;border:1px solid var(--rule);border-radius:.5rem;background:var(--paper)}h1{font-size:1.75rem;font-size:min(1.2rem + 2vw,2.5rem,12vw);line-height:1.2;letter-spacing:-.015em;text-wrap:balance;outline:0}h1,dt{-webkit-hyphens:auto;hyphens:auto;hyphenate-limit-chars:12 5 5}h2{font-size:.9375rem;color:var(--soft)}#lead{margin-top:.25rem;max-width:34rem;color:var(--soft);white-space:pre-line;text-wrap:pretty}.top{display:grid;grid-template-columns:100%;grid-gap:.75rem}.slot{position:relative;width:100%;max-width:25rem;margin:.5rem auto -1rem;padding:5px 1rem 2.25rem;overflow:hidden}.slot:before{content:"";position:absolute;z-index:1;top:0;left:0;right:0;height:10px;border-radius:5px;background:var(--slot)}.ticket{text-align:center;filter:drop-shadow(0 1px 1px rgba(0,0,0,.18)) drop-shadow(0 8px 14px rgba(0,0,0,.12))}.band{padding:.9rem .5rem .55rem;background:var(--accent);color:var(--on);font-size:1.2rem;font-weight:700;line-height:1.4}.face{margin-top:-1px;padding:1.3rem 1.35rem 1.25rem;background:var(--paper)}#face{display:block;width:100%;height:5.5rem;overflow:visible;fill:currentColor;font-family:DIN Alternate,Bahnschrift,Helvetica Neue,Segoe UI,Roboto,Noto Sans,Liberation Sans,system-ui,sans-serif;font-size:100px;font-weight:700;font-variant-numeric:tabular-nums lining-nums}.tear{position:relative;height:18px;margin:-1px 0;background:radial-gradient(circle at 0 50%,transparent 8.5px,var(--paper) 9px) 0 0/51% 100% no-repeat,radial-gradient(circle at 100% 50%,transparent 8.5px,var(--paper) 9px) 100% 0/51% 100% no-repeat}.tear:before{content:"";position:absolute;top:8px;left:16px;right:16px;border-top:2px dotted var(--rule)}.rest:after{content:"";display:block;height:7px;margin-top:-1px;background:radial-gradient(circle at 50% 100%,transparent 4.5px,var(--paper) 5px) 50% 0/14px 7px}.stub{display:flex;flex-wrap:wrap;justify-content:space-between;padding:.4rem 1rem .8rem;background:var(--paper);color:var(--soft);font-size:.875rem;font-variant-numeric:tabular-nums}.stub span:empty{display:none}.stub span{flex:auto;padding:0 .35rem}.facts{display:flex;flex-wrap:wrap}.facts div{flex:1 0 auto;max-width:100%;padding:0 0 .35rem;padding-inline-end:1.5rem;padding-inline-end:min(1.5rem,5vw)}.facts div+div{flex:6 1 9.5rem;padding-inline-end:0}dt{color:var(--soft);line-height:1.3}#wait{min-height:1.2em}#why{font-weight:400;font-size:1rem;line-height:1.4;letter-spacing:0;color:var(--soft)}dd{font-size:1.625rem;font-size:min(1.625rem,12vw);line-height:1.2;font-variant-numeric:tabular-nums;letter-spacing:-.015em;text-wrap:balance}.line{margin:1.75rem 0 0}.line svg{display:block;overflow:hidden}[dir=rtl] #line,[dir=rtl] #line text{transform:scaleX(-1)}#before use{fill:var(--ink);opacity:.5}#behind use{fill:var(--ink);opacity:.17}.you{fill:var(--accent)}.you text{fill:var(--ink);font-size:.875rem;font-weight:650}.door{fill:var(--paper);stroke:var(--tint);stroke-width:3}.floor{stroke:var(--rule)}.moves .crowd,.moves .ticket,.moves .rest{transition:transform .9s cubic-bezier(.3,.7,.2,1)}figcaption span:not(:empty){display:inline-block;margin-inline-end:1em}figcaption{margin-top:.6rem;color:var(--soft);font-size:.9375rem;font-variant-numeric:tabular-nums}.holds,.choices,.scriptless{margin-top:2.5rem;padding-top:1.75rem;border-top:1px solid var(--rule)}.scriptless .button{margin-top:1rem}.message{margin-top:1.5rem;max-width:36rem}[dir=rtl] #message{text-align:right}.message p{white-space:pre-line}.holds ul{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));grid-template-columns:repeat(auto-fit,minmax(min(12rem,100%),1fr));grid-gap:1.25rem 2rem;margin-top:.8rem}.holds b{display:block;font-size:1.25rem}.holds span{color:var(--soft)}button,.button{display:inline-block;max-width:100%;min-height:2.75rem;margin:.25rem 0;margin-inline-end:.75rem;padding:.55rem 1rem;border:1px solid var(--soft);border-radius:.5rem;background:none;color:var(--ink);font:inherit;line-height:1.4;text-decoration:none;overflow-wrap:anywhere;cursor:pointer}button:hover{background:var(--paper)}.button,.button:hover{border-color:var(--accent);background:var(--accent);color:var(--on);font-size:1.2rem;font-weight:700}button[aria-pressed=true]{border-color:var(--tint);box-shadow:inset 0 0 0 1px var(--tint);color:var(--tint);font-weight:650}button[aria-pressed=true]:before{content:"\\2713  "}:focus-visible{outline:3px solid var(--tint);outline-offset:3px}.act>*{margin-top:1.25rem}#giveUp{padding-left:0;padding-right:0;border-color:transparent;color:var(--soft);text-decoration:underline;text-underline-offset:.2em}#giveUpBox{margin-top:1rem}#takeInHint,#giveUpBox p{max-width:36rem;margin-bottom:.5rem}.act>*,[data-phase=taking] #giveUp,[data-phase=taking] #takeIn,[aria-pressed=false]+#takeInHint,body:not([data-ticket]):not([data-phase=taking]) .slot,[data-phase=cookies] .slot{display:none}body:not([data-ticket]):not([data-phase=taking]) .top,[data-phase=cookies] .top{display:block}body:not([data-phase=waiting]):not([data-phase=taking]) .slot{order:1}[data-phase=called] #go,[data-phase=entering] #go,[data-phase=elsewhere] #go,.scripts [data-phase=ended] #again,.scripts [data-phase=given-up] #again,.scripts [data-phase=closed] #again,.scripts [data-phase=cookies] #again{display:inline-block}body:not([data-phase=waiting]) .line,body:not([data-phase=waiting]):not([data-phase=taking]) .facts,body:not([data-phase=waiting]):not([data-phase=taking]) .holds,body:not([data-phase=waiting]):not([data-phase=taking]) .choices{display:none}[data-phase=called] .face,[data-phase=entering] .face{background:var(--accent);color:var(--on)}[data-phase=ended] .ticket,[data-phase=given-up] .ticket{--accent: var(--rule);--on: var(--ink);color:var(--soft)}[data-phase=ended] .rest,[data-phase=given-up] .rest{transform:translateY(.6rem) rotate(2.5deg)}[data-phase=taking] .facts{visibility:hidden}[data-phase=taking] .ticket{transform:translateY(-62%)}[data-paused] .door{fill:var(--tint)}@media(min-width:44rem),(min-width:34rem)and (max-height:28rem){.top{grid-template-columns:minmax(0,2fr) minmax(0,3fr);grid-template-rows:1fr auto auto auto auto 1fr;grid-gap:0 2rem}.top>*{grid-column:2}.slot{grid-area:1 / 1 / span 6;margin-top:0;padding-left:.6rem;padding-right:.6rem}h1{grid-row:2}.facts{grid-row:3;margin:.75rem 0 .65rem}#notices{grid-row:4}.say{grid-row:5}dd{font-size:min(1.625rem,6vw)}}@media(min-width:44rem){body{padding:2rem 5vw 4rem;padding:2rem min(2.5rem,5vw) 4rem}header{padding-bottom:2rem}.top{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.band{padding:1.1rem .5rem .7rem}.face{padding:2rem 1.5rem 1.9rem}#face{height:6.5rem}.facts{margin:1.25rem 0 1.1rem}dd{font-size:min(1.75rem,5vw)}}@media(min-width:60rem){.top{grid-template-columns:minmax(0,9fr) minmax(0,11fr);grid-gap:0 3.5rem}.slot{padding-left:1rem;padding-right:1rem}dd{font-size:min(2.125rem,4vw)}}@media(prefers-reduced-motion:reduce){.moves .crowd,.moves .ticket,.moves .rest{transition:none}}@media(prefers-contrast:more){:root{--soft: var(--ink);--rule: var(--ink)}}@media(forced-colors:active){.ticket{border:2px solid CanvasText;filter:none}.rest{transform:none!important}#giveUp{border:0}.slot:before{background:CanvasText;forced-color-adjust:none}#before use,#behind use,.you text{fill:CanvasText}.you{fill:Highlight}.door{fill:Canvas;stroke:CanvasText}.floor{stroke:CanvasText}}@media print{:root{--bg: #fff;--paper: #fff;--ink: #000;--soft: #333;--rule: #999;--accent: #fff;--on: #000;--tint: #000}.ticket{border:1px solid #000;filter:none}.you{fill:#000}.choices,.scriptless,.act{display:none}}';

export const watchdog =
  '(function(){var t=document.getElementById("watchdog").getAttribute("data-to");setTimeout(function(){/\\bscripts\\b/.test(document.documentElement.className)||location.replace(t)},2e4)})();';

export const bellWorker =
  'let last=self.registration.active?Promise.resolve():new Promise(t=>self.addEventListener("activate",t));self.addEventListener("message",t=>{const{text:i,body:o,tag:n,here:s,to:a}=t.data,{registration:e}=self,r={body:o,tag:n,renotify:!0,requireInteraction:!0,data:{here:s,to:a}},c=()=>i?e.showNotification(i,Object.assign(r,{vibrate:[200,100,200]})):e.getNotifications({tag:n}).then(l=>l.forEach(f=>f.close()));t.waitUntil(last=last.then(c,c))}),self.addEventListener("notificationclick",t=>{const{here:i}=t.notification.data,o=new URL(t.notification.data.to,i).href,n=()=>self.clients.openWindow(o);t.notification.close(),t.waitUntil(self.clients.matchAll({type:"window",includeUncontrolled:!0}).then(s=>{const a=s.find(({url:e})=>e===i)||s.find(({url:e})=>e===o);return a?a.focus().catch(n):n()}))});';

export const proofScript =
  '"use strict";(()=>{var e=(e,t)=>{const n=new Int32Array(e);for(let o=2,r=0;r<e;o++){let e=2;for(;e*e<=o&&o%e!==0;)e++;e*e<=o||(n[r++]=t(o)%1*2**32|0)}return n},t=e(8,Math.sqrt),n=e(64,Math.cbrt),o=new Int32Array(64),r=e=>{o.set(e);for(let e=16;e<64;e++){const t=o[e-15],n=o[e-2];o[e]=o[e-16]+((t>>>7|t<<25)^(t>>>18|t<<14)^t>>>3)+o[e-7]+((n>>>17|n<<15)^(n>>>19|n<<13)^n>>>10)|0}let r=t[0],l=t[1],s=t[2],a=t[3],c=t[4],i=t[5],u=t[6],d=t[7];for(let e=0;e<64;e++){const t=d+((c>>>6|c<<26)^(c>>>11|c<<21)^(c>>>25|c<<7))+(c&i^~c&u)+(n[e]+o[e])|0,w=((r>>>2|r<<30)^(r>>>13|r<<19)^(r>>>22|r<<10))+(r&l^r&s^l&s)|0;d=u,u=i,i=c,c=a+t|0,a=s,s=l,l=r,r=t+w|0}return r+t[0]|0},l=(e,t,n)=>{e[t>>2]=e[t>>2]|n<<24-8*(3&t)},s=({seed:e,bits:t})=>{const n=t-4;let o="",s=0,i=0;const u=()=>(e=>{if(e.length>55)throw new RangeError("the text does not fit one block");const t=new Int32Array(16);for(let n=0;n<e.length;n++)l(t,n,e.charCodeAt(n));return l(t,e.length,128),t[15]=8*e.length,t})(`${e}${i.toString(16)}${"0".repeat(8)}`);let d=u();return{done:()=>i,tryNext(e){for(let t=e;t>0;t--)if(c(d,s),Math.clz32(r(d))<n)s++;else{if(o+=a(s),s=0,i++,16===i)return o;d=u()}return null}}},a=e=>e.toString(16).padStart(8,"0"),c=(e,t)=>{e[8]=4278190080&e[8]|i(t>>>28)<<16|i(t>>>24)<<8|i(t>>>20),e[9]=i(t>>>16)<<24|i(t>>>12)<<16|i(t>>>8)<<8|i(t>>>4),e[10]=i(t)<<24|8388608},i=e=>{const t=15&e;return t<10?48+t:87+t},u=e=>{const t=document.createElement("div"),n=document.createElement("p"),o=document.createElement("progress"),r=document.createElement("div");return n.id="proof",n.setAttribute("role","status"),o.max=16,o.style.width="100%",o.setAttribute("aria-labelledby",n.id),o.hidden=!0,[n,o,r].forEach(e=>t.appendChild(e)),(e=>{const t=document.getElementById("seiriken-proof"),n=document.getElementById("lead");t?t.appendChild(e):n?n.parentNode.insertBefore(e,n.nextSibling):document.body.appendChild(e)})(t),{place:r,show(){n.textContent=e},hide(){n.textContent="",o.hidden=!0},progress(e){o.hidden=!1,o.value=e}}},d="none";if("undefined"==typeof document)(()=>{const e=self.postMessage.bind(self);self.onmessage=({data:t})=>{const n=s(t);let o=0;for(;;){const t=n.tryNext(4096);if(null!==t)return e(t);n.done()>o&&e(o=n.done())}}})();else{const e=document.getElementById("boot")||document.getElementById("seiriken-boot");(({api:e,proof:t})=>{if(!t)return;const n=e+"/tickets",o=window.fetch.bind(window),r=(({asked:e,notice:t,ask:n})=>{const o=e.turnstile?(({siteKey:e,script:t,appearance:n,room:o,patienceMs:r},l)=>{let s,a=null,c=null,i=()=>{};const u=()=>{null!==a&&(null===c?c=a.render(l.place,{sitekey:e,appearance:n,cData:o,language:document.documentElement.lang||"auto",callback:e=>i(e),"error-callback":()=>i(""),"unsupported-callback":()=>i(""),"before-interactive-callback":()=>window.clearTimeout(s),"timeout-callback":()=>i("")}):a.reset(c))};return()=>new Promise(e=>{l.show(),i=t=>{window.clearTimeout(s),e(t)},s=window.setTimeout(()=>i(""),r),null===a?(()=>{const e=document.createElement("script");e.src=t,e.onload=()=>{if(a=window.turnstile||null,null===a)return i("");u()},e.onerror=()=>{e.remove(),i("")},document.head.appendChild(e)})():u()})})(e.turnstile,t):null;let r=null;return()=>(null===r&&(r=(async()=>{try{return await(async o=>{if(403!==o.status)return o;const{puzzle:r}=await o.clone().json();if(!r)return o;t.show();const l=await((e,t,n)=>new Promise(o=>{n(0);const r=()=>((e,t,n)=>{const{port1:o,port2:r}=new MessageChannel;o.onmessage=()=>{const l=Date.now()+12;let s=null;for(;null===s&&Date.now()<l;)s=e.tryNext(256);if(t(e.done()),null===s)return r.postMessage(0);o.close(),n(s)},r.postMessage(0)})(s(e),n,o);try{const l=new Worker(t);l.onmessage=({data:e})=>{if("number"==typeof e)return n(e);l.terminate(),o(e)},l.onerror=()=>{l.terminate(),r()},l.postMessage({seed:e.seed,bits:e.bits})}catch(e){r()}}))(r,e.script,t.progress);return n(`work ${r.token} ${l}`)})(await(null===o?n(d):o().then(e=>n(""===e?d:"turnstile "+e))))}finally{r=null,t.hide()}})()),r.then(e=>e.clone()))})({asked:t,notice:u(t.text),ask:e=>o(n,{method:"POST",credentials:"same-origin",cache:"no-store",headers:{Accept:"application/json","Seiriken-Proof":e}})});window.fetch=(e,t)=>e===n&&t&&"POST"===t.method?Promise.race([r(),new Promise(e=>{const t={"Content-Type":"application/json"};window.setTimeout(()=>e(new Response("{}",{headers:t})),12e3)})]):o(e,t)})(JSON.parse(e.textContent||""))}})();';

export const script =
  '"use strict";(()=>{var e={hour:"numeric",minute:"2-digit"},t={hour:"numeric",minute:"2-digit",second:"2-digit"},n=e=>{let t;return()=>void 0===t?t=e():t},a={number:null,state:"none",ahead:null},i=({ticket:e})=>e||a,o=({takesIn:e})=>!1===e?"waitingLeadCalls":"waitingLead",r=({claimBy:e},n,a)=>null===e?a.e("calledLead",{span:a.span(n.claimWithin)}):a.e("calledLeadBy",{time:a.time(e,t)}),s=({closed:e,ticket:t},n,a)=>{const i=e||"";if(null===t||null===t.number)return i;const o=a.span(n.returnWindow),r=a.e("closedKept",{number:a.number(t.number),span:o});return""===i?r:`${i}\\n\\n${r}`},l={busy:"busy","line-full":"lineFull","too-many-joins":"tooManyJoins",unavailable:"lost"},c={ended:"takeNew","given-up":"takeNew",closed:"checkAgain",cookies:"tryAgain"},u=(e,t,n,a)=>{const i=[];if(null!==t.lost&&(e=>"called"!==e&&"entering"!==e&&"elsewhere"!==e)(e)&&i.push((({ago:e,at:t,endedAt:n},a)=>null===n?e:a.fill(t,{time:a.time(n)}))(t.lost,a)),t.formLost&&i.push(a.e("formLost")),null!==t.missedAt&&null!==t.ticket&&"away"!==t.ticket.state){const e=a.number(t.ticket.number||0);i.push(a.e("missed",{time:a.time(t.missedAt),number:e}))}return null!==t.problem&&i.push(a.e(l[t.problem])),"offline"!==t.link&&"lost"!==t.link||(i.push(a.e(t.link)),null===t.ticket||null===t.heardAt)||i.push(a.e("keptUntil",{time:a.time(t.heardAt+1e3*n.returnWindow)})),i},d=(e,t,n,a)=>"waiting"===e&&"away"!==t.state&&t.ahead?a.e("titleAhead",{n:t.ahead}):n,k=(e,t)=>{const n=Number(e.headers.get("Retry-After"));return t.retry_after_ms||(n>0?1e3*n:5e3)},g=[659.3,880],h=e=>{g.forEach((t,n)=>{const a=e.currentTime+.22*n,i=e.createOscillator(),o=e.createGain();i.frequency.value=t,o.gain.setValueAtTime(1e-4,a),o.gain.exponentialRampToValueAtTime(.25,a+.02),o.gain.exponentialRampToValueAtTime(1e-4,a+.5),i.connect(o).connect(e.destination),i.start(a),i.stop(a+.5)})},w=(e,t)=>e.setAttribute("aria-pressed",t+""),p={take:["POST","/tickets"],ask:["GET","/tickets/mine"],claim:["POST","/visits"],giveUp:["DELETE","/tickets/mine"],look:["GET","/visits/mine"]},m=1e3,f=e=>{const t=Math.round(e*(.85+.3*Math.random()));return 5e3===t?t+37:t},y=(e,t)=>{const n=Math.max(t,Math.min(6e4,t*2**Math.min(e,10)));return Math.round(0===e?Math.random()*n:(.5+Math.random()/2)*n)},b=e=>Math.max(2e3,(e||0)/4e4*m),v=0,M=()=>{let e,t=0;const n=()=>{t++,window.clearTimeout(e)};return{t:n,set(a,i){n();const o=t,r=Date.now()+a;e=window.setTimeout(()=>{v=Math.max(0,Date.now()-r),(e=>{const{port1:t,port2:n}=new MessageChannel;t.onmessage=e,n.postMessage(0)})(()=>{o===t&&i()})},a)}}},D=[4400,4401,4403,4410,4429],S=[4401,4410],A=(e,t)=>{try{return JSON.parse(window[e].getItem(t)||"null")}catch(e){return null}},O=(e,t,n)=>{try{return window[e].setItem(t,JSON.stringify(n)),!0}catch(e){return!1}},U=e=>document.getElementById(e),j=(e,t)=>{t?document.body.setAttribute(e,""):document.body.removeAttribute(e)},I=()=>"visible"===document.visibilityState,N=[0,1,2,3,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4],B=["ended","given-up","closed","cookies"],$=e=>{for(const t of N)if(e<=t)return t;return 1e4*Math.ceil(e/1e4)},L=JSON.parse(U("boot").textContent||""),x=((t,a)=>{const i=n(()=>new Intl.NumberFormat(t)),o=n(()=>"function"==typeof Intl.PluralRules?new Intl.PluralRules(t):null),r=(e,t={})=>("string"==typeof e?e:e[(e=>{const t=o();return null===t?1===e?"one":"other":t.select(e)})(Number(t.n))]||e.other||"").replace(/\\{(\\w+)\\}/g,(e,n)=>{const a=t[n];return"number"==typeof a?i().format(a):a||""}),s=(e,t)=>r(a[e],t);return{fill:r,e:s,span:e=>{const[t,n,a]=e>=7200?["hours","minutes",3600]:["minutes","seconds",60];if(e<120)return s("seconds",{n:Math.round(e)});const i=Math.floor(e/a),o=Math.floor(e%a/(a/60)),r=s(t,{n:i});return 0===o?r:s("spans",{a:r,b:s(n,{n:o})})},wait:e=>{var t,n,a,i;if(!e||!e.known)return s(e&&"long"===e.reason?"waitLong":"waitUnknown");const o=Math.max(0,null!=(n=null!=(t=e.low)?t:e.seconds)?n:0),r=Math.max(o,null!=(i=null!=(a=e.high)?a:e.seconds)?i:0);if(r<50)return s("waitSoon");const l=r>=5400,c=l?1800:r>=1800?300:60,u=l?3600:60,d=Math.floor(o/c)*c/u,k=Math.ceil(r/c)*c/u,g=s(l?"hours":"minutes",{n:k});return 0===d?s("waitUpTo",{span:g}):d===k?s("waitAbout",{span:g}):s(l?"hoursRange":"minutesRange",{low:d,high:k})},number:e=>i().format(e),i:e=>new Intl.NumberFormat(t,{style:"percent",maximumFractionDigits:0}).format(e),time:(n,a=e)=>new Intl.DateTimeFormat(t,a).format(n)}})(L.locale,L.words),T=(e=>{const t=`seiriken:${e}:way`,n=`seiriken:${e}:in`,a=`seiriken:${e}:reloads`,i=`seiriken:${e}:wait`,o=e=>{const t=A("localStorage",i);return null!==t&&t.number===e?t:{}};return{o,r(e,t){O("localStorage",i,Object.assign({},o(e),t,{number:e}))},s(e){const{claimBy:t}=o(e);return t&&t-2e3<=Date.now()?t:null},l(e,n){const a=A("localStorage",t);if(null!==a&&a.number===e&&a.startAhead>=n)return a;const i={number:e,startAhead:n,takenAt:null!==a&&a.number===e?a.takenAt:Date.now()};return O("localStorage",t,i),i},c(){const e=A("sessionStorage",n);O("sessionStorage",n,{at:Date.now(),count:e?e.count:0})},u(){const e=A("sessionStorage",n);if(null===e)return!1;const t=Date.now()-e.at<5e3?e.count+1:0;return O("sessionStorage",n,{at:0,count:t>=3?0:t}),t>=3},d(){const e=A("sessionStorage",a)||0;return O("sessionStorage",a,e+1)?Math.min(3e5,8e3*2**Math.min(e,10)):6e4},k(){A("sessionStorage",a)&&O("sessionStorage",a,0)}}})(L.roomId),W=((e,t,n)=>{let a=-6e4,i=null,o=null,r=!1,s=null,l="";return{g(t,c,u){const d=l!==t.phase;if(l=t.phase,B.indexOf(l)>=0)return void(d&&(e.textContent=c));const k=(e=>{const{ticket:t}=e,a=t&&t.ahead,l=[],c="lost"===e.link||"offline"===e.link;return c&&!r&&l.push(n.e(e.link)),r&&!c&&l.push(n.e("saidBack")),null!==e.message&&e.message!==s&&l.push(e.message),null===t||"waiting"!==e.phase||(t.number!==o&&l.push(n.e("saidTicket",{number:n.number(t.number||0)})),null!==a&&(null===i||$(a)<i)&&(l.push(n.e("saidAhead",{n:a})),t.eta&&t.eta.known&&l.push(n.e("saidWait",{wait:n.wait(t.eta)})))),l})(t);if(0===k.length||Date.now()-a<6e4)return;if(a=Date.now(),e.textContent=k.join(" "),r="lost"===t.link||"offline"===t.link,s=t.message,null===t.ticket||"waiting"!==t.phase)return;o=t.ticket.number;const{ahead:g}=t.ticket;i=$(g||0)},alert(e){t.textContent!==e&&(t.textContent=e)}}})(U("status"),U("alert"),x),C=(e=>{const{sound:t,notify:n,note:a}=e,i=window.AudioContext||window.webkitAudioContext,o="Notification"in window&&"serviceWorker"in navigator,r=()=>o&&"granted"===Notification.permission;let s=null,l=!1,c=!1;const u=e=>{c=e,w(n,e),e&&d({})},d=t=>{c&&navigator.serviceWorker.register(e.worker).then(e=>{const{active:n,waiting:i,installing:o}=e;(n||i||o).postMessage(Object.assign({},a,t))},()=>u(!1))};return t.hidden=void 0===i,t.onclick=()=>{l=!l,w(t,l),l&&void 0!==i&&(s=s||new i,s.resume(),h(s))},n.hidden=!o||"denied"===Notification.permission,n.onclick=()=>{if(c)return e.wish(!1),u(!1);Promise.resolve(Notification.requestPermission()).then(()=>{e.wish(r()),u(r())})},{h(){l&&null!==s&&h(s)},w:e=>d({text:e}),p:()=>d({}),m(){!c&&r()&&u(!0)}}})({sound:U("sound"),notify:U("notify"),worker:L.bell,note:{body:L.name,tag:L.roomId,here:location.href,to:L.to},wish:e=>T.r(_(F),{notifies:e})}),E=(e=>{const t=e.querySelectorAll(".crowd"),n=e.querySelector("#crowdBehind");return{f:({ticket:a,startAhead:i,waiting:o})=>{const r=a&&a.ahead||0,s=e.getBoundingClientRect().width-46,l=Math.max(3,Math.floor(.78*s/26)-1),c=Math.max(1,Math.max(i||0,r)/l),u=r/c*26;for(let e=0;e<t.length;e++)t[e].style.transform=`translate(${u}px)`;return n.setAttribute("width",26*Math.min(Math.ceil(Math.max(0,(o||0)-r-1)/c),150)+""),(d=c)<1.5?1:d<10?Math.round(d):Number(d.toPrecision(2));var d}}})(U("line")),J=M(),P=M(),R=M(),G=M(),z=document.documentElement,F=L.state,_=({ticket:e})=>e&&e.number,q=!1,K=!1,V=!1,Y=()=>{const e=E.f(F);U("figures").textContent=e>1?x.e("figures",{n:e}):""},H=()=>{z.classList.remove("moves"),Y(),R.set(50,()=>z.classList.add("moves"))},Q=()=>{const e=((e,t,n,a,l=!0)=>{const k=l||("called"!==e.phase||e.asks)&&"entering"!==e.phase?e.phase:"elsewhere",[g,h]=((e,t,n,a)=>{const l=a.number(i(t).number||0);switch(e){case"waiting":return((e,t)=>{const n=i(e),a=e.paused?"paused":"away"===n.state?"away":0===n.ahead?"next":"waiting";return[t.e(a),t.e("waiting"===a?o(e):a+"Lead")]})(t,a);case"called":return((e,t,n)=>[n.e("called"),r(e,t,n)])(t,n,a);case"ended":return[a.e("ended"),a.e("endedLead",{number:l})];case"given-up":return[a.e("givenUp"),a.e("givenUpLead",{number:l})];case"closed":return[a.e("closed"),s(t,n,a)];case"taking":return t.paused?[a.e("paused"),a.e("pausedTaking")]:[a.e("taking"),a.e("takingLead")];case"entering":case"elsewhere":case"cookies":return[a.e(e),a.e(e+"Lead")];default:return e}})(k,e,t,a),w=i(e),{ahead:p,number:m,eta:f}=w,y=e.drawn?w.among:p,b=c[k],v=e.startAhead||0,M=null===p||v<=0?0:Math.max(0,v-p)/v;return{phase:k,paused:e.paused,headline:g,lead:h,title:`${d(k,w,g,a)} · ${n}`,number:null===m?"":a.number(m),placed:null!==p,ahead:null==y?"":a.e("aheadValue",{n:y}),wait:e.paused?a.e("waitUnknown"):a.wait(f),why:e.paused||!f||"no-ends"!==f.reason?"":a.e("waitNoEnds"),progress:M<.01?"":a.e("progress",{share:a.i(M)}),taken:null===e.takenAt?"":a.e("taken",{time:a.time(e.takenAt)}),heard:null===e.heardAt?"":a.e("heard",{time:a.time(e.heardAt)}),y:u(k,e,t,a),message:e.message||"",again:void 0===b?"":a.e(b)}})(F,L.spans,L.name,x,!K&&!q);var t;(e=>{document.body.setAttribute("data-phase",e.phase),j("data-paused",e.paused),j("data-ticket",""!==e.number),Object.keys(e).forEach(t=>{const n=e[t];"string"==typeof n&&null!==U(t)&&((e,t)=>{const n=U(e);n.textContent!==t&&(n.textContent=t)})(t,n)}),(e=>{const t=(e=>{const t=e.replace(/[\\s.,\'’٬]/g,"").length;return 57*Math.max(1,t)+27*(e.length-t)})(e)+"";U("face").setAttribute("viewBox",`0 0 ${t} 76`),U("number").setAttribute("textLength",t)})(e.number),U("messageBox").hidden=""===e.message,U("line").parentElement.hidden=!e.placed,(e=>{const t=U("notices");t.textContent!==e.join("")&&(t.textContent="",e.forEach(e=>{t.appendChild(document.createElement("li")).textContent=e}))})(e.y)})(e),t=F.asks?((e,t)=>{if(null===t)return"● "+e;const n=Math.max(0,Math.ceil((t-Date.now())/1e3));return`${n%2==0?"●":"○"} ${(e=>`${Math.floor(e/60)}:${("0"+e%60).slice(-2)}`)(n)} ${e}`})(e.title,F.claimBy):e.title,document.title!==t&&(document.title=t),U("takeIn").setAttribute("aria-pressed",(!0===F.takesIn)+""),Y(),W.g(F,e.headline,null),"called"!==e.phase&&"elsewhere"!==e.phase||W.alert(e.headline)},X=e=>G.set(m,()=>{F.asks&&!K&&(Q(),e%10==0&&C.h(),ne.look(),X(e+1))}),Z=e=>{const t=F;F=Object.assign({},F,e),Q(),T.o(_(F)).notifies&&C.m(),(e=>{const{phase:t,asks:n,ticket:a}=F;"called"===t&&"called"!==e.phase&&C.h(),n&&!e.asks&&(C.w(x.e("called")),X(1)),e.asks&&!n&&(I()?C.p():"entering"===t?C.w(x.e("entering")):null!==a&&"away"===a.state&&C.w(x.e("away")))})(t),ae.w()},ee=()=>{F.formLost?location.replace(L.to):location.reload()},te=()=>{const e=location.pathname+location.search;""===location.hash||e!==L.to||F.formLost?location.replace(L.to):location.reload()},ne=(e=>{const{boot:t,api:n,memory:a,state:i,update:o}=e,r=M();let s=!1,l=0,c=0,u=0,d=!1,k=null;const g=((e,t)=>{const n=location.origin.replace(/^http/,"ws")+e+"/socket",a=M(),i=M();let o=null,r=!1,s=0,l=0;const c=e=>{const n=o;if(o=null,i.t(),null!==n&&(n.onopen=n.onmessage=n.onclose=null,n.close()),!r)return;const s=D.indexOf(e)<0?y(l++,t.v()):12e4;a.set(s,d),t.down(e)},u=()=>i.set(f(3e4),()=>{if(Date.now()-s>65e3)return c(1006);null!==o&&o.readyState===WebSocket.OPEN&&o.send("ping"),u()}),d=()=>{a.t(),s=Date.now();try{o=new WebSocket(n)}catch(e){return c(1006)}o.onopen=()=>null!==o&&o.send("ping"),o.onmessage=e=>(e=>{if(s=Date.now(),"string"!=typeof e||"pong"===e)return;let n;try{n=JSON.parse(e)}catch(e){return}"ready?"!==n.type?(l=0,t.message(n)):null!==o&&o.send(\'{"type":"ready"}\')})(e.data),o.onclose=e=>c(e.code),u()};return{open(){r||(r=!0,d())},close(){r=!1,a.t(),c(1e3)},M(){r&&!(()=>{if(null===o)return!1;const e=Date.now()-s;return o.readyState===WebSocket.CONNECTING?e<1e4:o.readyState===WebSocket.OPEN&&e<35e3})()&&(l=0,r=!1,c(1e3),r=!0,d())}}})(t.api,{v:()=>b(i().waiting),down:e=>{if("live"===i().link&&o({link:"polling"}),"closed"===i().phase)return g.close();if(h())return g.close();if("waiting"!==i().phase)return;const t=S.indexOf(e)<0?b(i().waiting):m;r.set(Math.random()*t+200,()=>N("ask"))},message:e=>{"live"!==i().link&&o({link:"live"}),"message"===e.type?o({message:e.text||null}):"paused"===e.type?o({paused:e.paused}):"closed"===e.type?j(e.text):"reload"===e.type||!1===e.closed&&"closed"===i().phase?r.set(2e3+Math.random()*b(i().waiting),U):"waiting"!==i().phase&&"called"!==i().phase||("position"===e.type?(A(e),"away"!==e.state||h()||N("ask")):"called"===e.type&&A({state:"called",ahead:0,claim_by:e.claim_by||null}))}}),h=()=>{const{phase:t,ticket:n,takesIn:a}=i();return"waiting"===t&&null!==n&&"away"===n.state&&!a&&!e.D()},w=()=>{if(h())return c=0,r.t();const{link:e,ticket:n}=i();r.set(Math.max(m,f(("live"===e?t.spans.returnWindow/4:n&&n.poll_after_seconds||5)*m)-(Date.now()-c)),()=>N("ask"))},A=t=>{const r=i().ticket,s=Object.assign({},r,t);if(null==s.number)return N("take");if("visiting"===s.state)return e.S();const l=s.ahead||0,c=a.l(s.number,l),u=null!==r&&(r.ahead||0)>l,d="called"===s.state,p=d&&s.claim_by?n.A(s.claim_by):null;null!==p&&a.r(s.number,{claimBy:p}),"called"!==i().phase&&(k=null),t.event&&"prequeue"===t.event.phase&&!d&&e.reload();const m={ticket:s,phase:d?"called":"waiting",claimBy:p,asks:d&&!e.D(),takesIn:!0===a.o(s.number).takesIn,missedAt:d?null:a.s(s.number),startAhead:c.startAhead,takenAt:c.takenAt,heardAt:Date.now(),waiting:void 0===t.waiting?i().waiting:t.waiting,paused:i().paused&&!u&&!d,problem:null};o(m),h()||g.open(),d?O():w()},O=()=>{if(d)return;const n=Date.now(),{claimBy:a,takesIn:s,asks:l}=i(),c=e.D(),u=((e,t)=>{const{D:n,takesIn:a,claimBy:i,O:o,U:r,j:s}=e;return n||a?Math.max(t,n||null!==r||null===i?r||0:i-(Math.min(2e4,o/2)+s)):null})({D:c,takesIn:!0===s,claimBy:a,O:t.spans.claimWithin*m,U:k,j:v},n);return l===c&&o({asks:!c}),null!==u?u<=n?N("claim"):r.set(u-n,O):null===a?r.set(m,()=>N("ask")):void r.set(a+1500-n,()=>A({state:"away",claim_by:null}))},U=()=>{if(e.D())return e.I();o({phase:"taking"}),N("take")},j=e=>{r.t(),o({phase:"closed",closed:e||i().closed,problem:null})},I=(e,t)=>{if("claim"!==e)return r.set(t,()=>N(e));k=Date.now()+t,O()},N=t=>{r.t(),c=Date.now(),d="claim"===t;const h=++u,[w,m]=p[t];n.ask(w,m).then(n=>{h===u&&s&&(d=!1,"json"===n.N&&a.k(),((t,n)=>{const a="unreachable"===n.N||"reload"===n.N;switch(a?o({link:!1===navigator.onLine?"offline":"lost"}):"lost"!==i().link&&"offline"!==i().link||o({link:"polling"}),a||"refused"===n.N||(l=0),n.N){case"stand":return A(n.ticket);case"enter":return e.S();case"look":return N("look");case"ended":case"given-up":case"cookies":return s=n.N,r.t(),g.close(),void o({phase:s,link:"polling",problem:null,missedAt:null});case"closed":return j(n.text);case"reload":return e.reload();case"not-yet":return k=Date.now()+n.B+200*Math.random(),A(Object.assign({},n.ticket,{state:"called"}));case"refused":return o({problem:n.problem}),I(t,f(n.B*Math.min(8,2**l++)));case"unreachable":return I(t,y(1+l++,2e3));default:return n}var s})(t,((e,t)=>{if("page"===t.N)return{N:"reload"};if("down"===t.N)return{N:"unreachable"};const{status:n,body:a,B:i}=t;if(404===n||410===n)return((e,t)=>"take"===e||"room-not-found"===t.code?{N:"reload"}:"giveUp"===e?{N:"given-up"}:{N:"look"===e?"ended":"look"})(e,a);if(n>=400)return((e,t)=>{switch(e.code){case"cookies-needed":return{N:"cookies"};case"room-closed":return{N:"closed",text:e.closed||null};case"room-suspended":return{N:"enter"};case"line-full":case"lobby-full":return{N:"refused",problem:"line-full",B:t};case"too-many-joins":return{N:"refused",problem:"too-many-joins",B:t};default:return{N:"refused",problem:"busy",B:t}}})(a,i);switch(e){case"giveUp":return{N:"given-up"};case"look":return{N:"enter"};case"claim":return 202!==n?{N:"enter"}:void 0===a.state||"called"===a.state?{N:"not-yet",B:i,ticket:a}:{N:"stand",ticket:a};case"take":case"ask":return{N:"stand",ticket:a};default:return e}})(t,n)))})},B=()=>{s&&"called"===i().phase&&O()};return{look:B,start(){s=!0,"live"===i().link&&o({link:"polling"}),(()=>{const{phase:e}=i();"taking"===e?N("take"):"closed"===e&&i().ticket?g.open():"waiting"!==e&&"called"!==e||h()||(g.open(),B(),"waiting"===e&&w())})()},stop(){s=!1,d=!1,u++,r.t(),g.close()},M(){const{phase:e}=i();B();const t="lost"===i().link||"offline"===i().link;!s||!t&&Date.now()-c<3e3||("taking"===e&&N("take"),"waiting"===e&&(g.open(),g.M(),N("ask")))},$(){l=0,o({phase:"taking",ticket:null}),N("take")},giveUp:()=>N("giveUp")}})({boot:L,memory:T,api:(e=>{let t=0;const n=async e=>{const n=Date.parse(e.headers.get("Date")||"");if(n&&(t=n-Date.now()),204===e.status)return{N:"json",status:204,body:{},B:5e3};if(!/json/.test(e.headers.get("Content-Type")||""))return e.status<500||e.headers.has("Cf-Mitigated")?{N:"page"}:{N:"down"};const a=await e.json();return{N:"json",status:e.status,body:a,B:k(e,a)}};return{A:e=>Date.parse(e)-t,ask:(t,a)=>Promise.race([fetch(e+a,{method:t,credentials:"same-origin",cache:"no-store",headers:{Accept:"application/json"}}).then(n),new Promise((e,t)=>window.setTimeout(t,15e3))]).catch(()=>({N:"down"}))}})(L.api),state:()=>F,update:Z,D:I,S(){ne.stop(),T.c(),Z({phase:"entering",asks:!1,problem:null}),P.set(900,te)},I:ee,reload(){V||(V=!0,J.set(f(T.d()),ee))}}),ae=((e,t)=>{const n=Math.random().toString(36).slice(2),a=M(),i=M();let o=!1,r=0;const s=()=>{o&&(c({type:"lead",id:n,since:r,inSight:I(),state:t.state()}),a.set(5e3,s))},l=()=>{i.t(),o||(o=!0,r=Date.now(),s(),t.lead())},c=(e=>{if("function"!=typeof BroadcastChannel)return()=>{};const c=new BroadcastChannel(e);return c.onmessage=e=>(e=>{if(e.id===n)return;if("hello"===e.type)return s();if("bye"===e.type)return void(o||i.set(300*Math.random(),l));const c=I();if(!(e.inSight===c?e.since>r||e.since===r&&e.id>n||!o:e.inSight))return o?s():l();i.set(16e3,l),o&&(o=!1,a.t(),t.g()),t.hear(e.state)})(e.data),e=>c.postMessage(e)})("seiriken:"+e);return{w:s,open(){if(I())return l();c({type:"hello",id:n}),i.set(600,l)},L:l,hidden:s,x(){if(!o)return i.t();o=!1,a.t(),c({type:"bye",id:n}),t.g()}}})(L.roomId,{state:()=>F,lead(){K=!1,Q(),q||ne.start()},g:()=>ne.stop(),hear(e){K=!0,q="entering"===e.phase,F=Object.assign({},e,{formLost:L.state.formLost,lost:F.lost}),Q()}}),ie=()=>{I()&&(C.p(),ae.L(),ne.M())},oe=()=>{if(I())return ie();ne.look(),ae.hidden()},re=()=>{I()?ie():ae.open()},se=()=>{(({words:e,number:t,giveUp:n,T:a,again:i})=>{const o=U("giveUp"),r=U("giveUpBox"),s=e=>{r.hidden=!e,o.setAttribute("aria-expanded",e+""),(e?U("giveUpNo"):o).focus()},l=e=>{e(),U("headline").focus()};o.onclick=()=>{U("giveUpAsk").textContent=e.e("giveUpAsk",{number:t()}),s(r.hidden)},U("takeIn").onclick=a,U("giveUpNo").onclick=()=>s(!1),r.onkeydown=e=>{"Escape"===e.key&&s(!1)},U("giveUpYes").onclick=()=>{s(!1),l(n)},U("again").onclick=()=>l(i)})({number:()=>x.number(F.ticket&&F.ticket.number||0),words:x,giveUp(){ae.L(),ne.giveUp()},T(){const e=!0!==F.takesIn;T.r(_(F),{takesIn:e}),ae.L(),Z({takesIn:e})},again(){ae.L(),"closed"===F.phase||"cookies"===F.phase?ee():ne.$()}}),document.addEventListener("visibilitychange",oe),window.addEventListener("pageshow",e=>{e.persisted&&re()}),window.addEventListener("pagehide",()=>ae.x()),document.addEventListener("freeze",()=>ae.x()),document.addEventListener("resume",re),window.addEventListener("focus",ie),window.addEventListener("online",ie),window.addEventListener("offline",()=>{"waiting"!==F.phase&&"taking"!==F.phase||Z({link:"offline"})}),window.addEventListener("resize",H),ae.open()};z.className="scripts",F.lost&&(F=Object.assign({},F,{lost:Object.assign({},F.lost,{endedAt:Date.now()-F.lost.agoMs})})),"cookies"!==F.phase&&"taking"!==F.phase||(F=Object.assign({},F,{phase:navigator.cookieEnabled?"taking":"cookies"})),T.u()&&(F=Object.assign({},F,{phase:"cookies"})),Q(),H(),document.prerendering?document.addEventListener("prerenderingchange",se):se()})();';

export const ownTemplate =
  '{{#refresh}}<noscript><meta http-equiv="refresh" content="{{refresh}};url={{to}}"></noscript>{{/refresh}}<script type="application/json" id="seiriken-boot">{{{boot}}}</script>{{#proof}}<script src="{{script}}"></script>{{/proof}}{{#ownWatchdog}}<script>{{{ownWatchdog}}}</script>{{/ownWatchdog}}<script>{{{ownScript}}}</script>';

export const ownWatchdog =
  '(function(){var e=JSON.parse(document.getElementById("seiriken-boot").textContent).to;setTimeout(function(){window.seiriken||location.replace(e)},2e4)})();';

export const ownScript =
  '"use strict";(()=>{var e=({phase:e,shuffle:t},n,a)=>"prequeue"!==e||null===n||a<n?e:t?"drawing":"running",t=(t,n,a,r)=>{const s=a&&a.told.starts_at===t.starts_at?a.opensAt:null,i=null!==s&&Math.abs(s-n)<2e3?Math.min(s,n):n;return{told:t,phase:e(t,i,r),opensInMs:i-r,opensAt:i}},n=(e,t)=>{const n=Number(e.headers.get("Retry-After"));return t.retry_after_ms||(n>0?1e3*n:5e3)},a={take:["POST","/tickets"],ask:["GET","/tickets/mine"],claim:["POST","/visits"],giveUp:["DELETE","/tickets/mine"],look:["GET","/visits/mine"]},r=1e3,s=e=>{const t=Math.round(e*(.85+.3*Math.random()));return 5e3===t?t+37:t},i=(e,t)=>{const n=Math.max(t,Math.min(6e4,t*2**Math.min(e,10)));return Math.round(0===e?Math.random()*n:(.5+Math.random()/2)*n)},o=e=>Math.max(2e3,(e||0)/4e4*r),l=0,u=()=>{let e,t=0;const n=()=>{t++,window.clearTimeout(e)};return{e:n,set(a,r){n();const s=t,i=Date.now()+a;e=window.setTimeout(()=>{l=Math.max(0,Date.now()-i),(e=>{const{port1:t,port2:n}=new MessageChannel;t.onmessage=e,n.postMessage(0)})(()=>{s===t&&r()})},a)}}},c=[4400,4401,4403,4410,4429],d=[4401,4410],k=(e,t)=>{try{return JSON.parse(window[e].getItem(t)||"null")}catch(e){return null}},h=(e,t,n)=>{try{return window[e].setItem(t,JSON.stringify(n)),!0}catch(e){return!1}},p=()=>"visible"===document.visibilityState,g=({event:e})=>e?{id:e.told.id,phase:e.phase,startsAt:e.told.starts_at,shuffle:e.told.shuffle}:null,m=({event:e},t)=>e&&"prequeue"===e.phase&&null!==e.opensAt?Math.max(0,Math.ceil((e.opensAt-t)/1e3)):null,f=(e,t,n)=>{try{return t.toLocaleString(e||void 0,{style:"unit",unit:n,unitDisplay:"long"})}catch(e){return`${t} ${"minute"===n?"min":"h"}`}},w=(e,t)=>{const n=Math.max(1,Math.ceil(t/60)),a=Math.floor(n/60),r=n%60;if(0===a)return f(e,n,"minute");const s=f(e,a,"hour");return 0===r?s:`${s} ${f(e,r,"minute")}`},y=e=>("0"+e).slice(-2),M=e=>{const t=Math.floor(e/3600),n=Math.floor(e/60)%60,a=y(e%60);return 0===t?`${n}:${a}`:`${t}:${y(n)}:${a}`},v=(e,t)=>null===t?"":t.toLocaleString(e||void 0),b=document.documentElement,D=JSON.parse(document.getElementById("seiriken-boot").textContent||""),S=(e=>{const t=`seiriken:${e}:way`,n=`seiriken:${e}:in`,a=`seiriken:${e}:reloads`,r=`seiriken:${e}:wait`,s=e=>{const t=k("localStorage",r);return null!==t&&t.number===e?t:{}};return{t:s,n(e,t){h("localStorage",r,Object.assign({},s(e),t,{number:e}))},a(e){const{claimBy:t}=s(e);return t&&t-2e3<=Date.now()?t:null},r(e,n){const a=k("localStorage",t);if(null!==a&&a.number===e&&a.startAhead>=n)return a;const r={number:e,startAhead:n,takenAt:null!==a&&a.number===e?a.takenAt:Date.now()};return h("localStorage",t,r),r},s(){const e=k("sessionStorage",n);h("sessionStorage",n,{at:Date.now(),count:e?e.count:0})},i(){const e=k("sessionStorage",n);if(null===e)return!1;const t=Date.now()-e.at<5e3?e.count+1:0;return h("sessionStorage",n,{at:0,count:t>=3?0:t}),t>=3},o(){const e=k("sessionStorage",a)||0;return h("sessionStorage",a,e+1)?Math.min(3e5,8e3*2**Math.min(e,10)):6e4},l(){k("sessionStorage",a)&&h("sessionStorage",a,0)}}})(D.roomId),O=u(),$=u(),A=u(),j=u(),B=D.state,I=!1,C=!1,E=!1,W="",N=()=>((e,t,n)=>{const{ticket:a,claimBy:r}=e,s=a&&!e.paused&&a.eta;return{phase:t?"elsewhere":e.phase,number:a&&a.number,ahead:a&&a.ahead,among:a&&a.among||null,waitSeconds:s&&s.known&&void 0!==s.seconds?s.seconds:null,claimBy:null===r?null:new Date(r).toISOString(),paused:e.paused,message:e.message,closed:e.closed,event:g(e),opensInSeconds:m(e,n),link:e.link,problem:e.problem}})(B,(I||C)&&("called"===B.phase&&!B.asks||"entering"===B.phase),Date.now()),T=()=>location.replace(D.to),U=(e=0)=>{E||(E=!0,O.set(Math.max(s(S.o()),e),T))},J=()=>{const e=N();(e=>{const t=((e,t)=>({number:v(t,e.number),ahead:v(t,e.ahead),among:v(t,e.among),wait:null===e.waitSeconds?"":w(t,e.waitSeconds),opensIn:null===e.opensInSeconds?"":M(e.opensInSeconds),message:e.message||"",closed:e.closed||""}))(e,b.lang);b.setAttribute("data-seiriken-phase",e.phase),e.paused?b.setAttribute("data-seiriken-paused",""):b.removeAttribute("data-seiriken-paused"),Array.prototype.slice.call(document.querySelectorAll("[data-seiriken]")).forEach(e=>{const n=t[e.getAttribute("data-seiriken")||""];void 0!==n&&e.textContent!==n&&(e.textContent=n)})})(e),document.dispatchEvent(new CustomEvent("seiriken",{detail:e}));const{event:t}=B;t&&"prequeue"===t.phase&&null!==t.opensAt&&j.set(Math.max(0,t.opensAt-Date.now()-1)%r+1,P)},P=()=>{const{event:t}=B;if(!t)return;const n=e(t.told,t.opensAt,Date.now());if(n===t.phase)return J();q({event:Object.assign({},t,{phase:n}),paused:"drawing"===n})},_=()=>{B.asks&&!I?(document.title=((e,t)=>{if(null===t)return"● "+e;const n=Math.max(0,Math.ceil((t-Date.now())/1e3));return`${n%2==0?"●":"○"} ${(e=>`${Math.floor(e/60)}:${("0"+e%60).slice(-2)}`)(n)} ${e}`})(W,B.claimBy),L.look(),A.set(r,_)):document.title=W},q=e=>{const t=B;B=Object.assign({},B,e),J(),B.asks&&!t.asks&&(W=document.title,_()),B.phase!==t.phase&&(({phase:e})=>{"closed"===e&&null===document.querySelector(\'[data-seiriken="closed"]\')&&U(Math.random()*o(B.waiting)),"cookies"===e&&U(),"ended"===e&&null===document.querySelector(\'[data-seiriken-do="again"]\')&&U()})(B),R.u()},G=()=>{const e=location.pathname+location.search;""!==location.hash&&e===D.to?location.reload():T()},L=(e=>{const{boot:n,api:k,memory:h,state:p,update:g}=e,m=u();let f=!1,w=0,y=0,M=0,v=!1,b=null;const D=((e,t)=>{const n=location.origin.replace(/^http/,"ws")+e+"/socket",a=u(),r=u();let o=null,l=!1,d=0,k=0;const h=e=>{const n=o;if(o=null,r.e(),null!==n&&(n.onopen=n.onmessage=n.onclose=null,n.close()),!l)return;const s=c.indexOf(e)<0?i(k++,t.c()):12e4;a.set(s,g),t.down(e)},p=()=>r.set(s(3e4),()=>{if(Date.now()-d>65e3)return h(1006);null!==o&&o.readyState===WebSocket.OPEN&&o.send("ping"),p()}),g=()=>{a.e(),d=Date.now();try{o=new WebSocket(n)}catch(e){return h(1006)}o.onopen=()=>null!==o&&o.send("ping"),o.onmessage=e=>(e=>{if(d=Date.now(),"string"!=typeof e||"pong"===e)return;let n;try{n=JSON.parse(e)}catch(e){return}"ready?"!==n.type?(k=0,t.message(n)):null!==o&&o.send(\'{"type":"ready"}\')})(e.data),o.onclose=e=>h(e.code),p()};return{open(){l||(l=!0,g())},close(){l=!1,a.e(),h(1e3)},d(){l&&!(()=>{if(null===o)return!1;const e=Date.now()-d;return o.readyState===WebSocket.CONNECTING?e<1e4:o.readyState===WebSocket.OPEN&&e<35e3})()&&(k=0,l=!1,h(1e3),l=!0,g())}}})(n.api,{c:()=>o(p().waiting),down:e=>{if("live"===p().link&&g({link:"polling"}),"closed"===p().phase)return D.close();if(S())return D.close();if("waiting"!==p().phase)return;const t=d.indexOf(e)<0?o(p().waiting):r;m.set(Math.random()*t+200,()=>E("ask"))},message:e=>{"live"!==p().link&&g({link:"live"}),"event"===e.type?$(e.event,e.now):"message"===e.type?g({message:e.text||null}):"paused"===e.type?g({paused:e.paused}):"closed"===e.type?I(e.text):"reload"===e.type||!1===e.closed&&"closed"===p().phase?m.set(2e3+Math.random()*o(p().waiting),B):"waiting"!==p().phase&&"called"!==p().phase||("position"===e.type?(A(e),"away"!==e.state||S()||E("ask")):"called"===e.type&&A({state:"called",ahead:0,claim_by:e.claim_by||null}))}}),S=()=>{const{phase:t,ticket:n,takesIn:a}=p();return"waiting"===t&&null!==n&&"away"===n.state&&!a&&!e.k()},O=()=>{if(S())return y=0,m.e();const{link:e,ticket:t}=p();m.set(Math.max(r,s(("live"===e?n.spans.returnWindow/4:t&&t.poll_after_seconds||5)*r)-(Date.now()-y)),()=>E("ask"))},$=(e,n)=>{const a=Date.now();g({event:e&&t(e,a+(null===e?0:Date.parse(e.starts_at)-Date.parse(n)),p().event,a)})},A=n=>{const a=p().ticket,r=Object.assign({},a,n);if(null==r.number)return E("take");if("visiting"===r.state)return e.h();const s=r.ahead||0,i=h.r(r.number,s),o=null!==a&&(a.ahead||0)>s,l="called"===r.state,u=l&&r.claim_by?k.p(r.claim_by):null;null!==u&&h.n(r.number,{claimBy:u}),"called"!==p().phase&&(b=null);const c={ticket:r,phase:l?"called":"waiting",claimBy:u,asks:l&&!e.k(),takesIn:!0===h.t(r.number).takesIn,missedAt:l?null:h.a(r.number),startAhead:i.startAhead,takenAt:i.takenAt,heardAt:Date.now(),waiting:void 0===n.waiting?p().waiting:n.waiting,paused:p().paused&&!o&&!l,problem:null};Object.assign(c,(({event:e,poll_after_seconds:n})=>{if(!n)return{};const a=p().event,r=e?t(e,k.p(e.starts_at),a,Date.now()):null;return((e,t)=>!(!e||"running"===e.phase||t&&"running"!==t.phase))(a,r)?{event:r,paused:!1}:{event:r}})(n)),g(c),S()||D.open(),l?j():O()},j=()=>{if(v)return;const t=Date.now(),{claimBy:a,takesIn:s,asks:i}=p(),o=e.k(),u=((e,t)=>{const{k:n,takesIn:a,claimBy:r,g:s,m:i,f:o}=e;return n||a?Math.max(t,n||null!==i||null===r?i||0:r-(Math.min(2e4,s/2)+o)):null})({k:o,takesIn:!0===s,claimBy:a,g:n.spans.claimWithin*r,m:b,f:l},t);return i===o&&g({asks:!o}),null!==u?u<=t?E("claim"):m.set(u-t,j):null===a?m.set(r,()=>E("ask")):void m.set(a+1500-t,()=>A({state:"away",claim_by:null}))},B=()=>{if(e.k())return e.w();g({phase:"taking"}),E("take")},I=e=>{m.e(),g({phase:"closed",closed:e||p().closed,problem:null})},C=(e,t)=>{if("claim"!==e)return m.set(t,()=>E(e));b=Date.now()+t,j()},E=t=>{m.e(),y=Date.now(),v="claim"===t;const n=++M,[r,o]=a[t];k.ask(r,o).then(a=>{n===M&&f&&(v=!1,"json"===a.y&&h.l(),((t,n)=>{const a="unreachable"===n.y||"reload"===n.y;switch(a?g({link:!1===navigator.onLine?"offline":"lost"}):"lost"!==p().link&&"offline"!==p().link||g({link:"polling"}),a||"refused"===n.y||(w=0),n.y){case"stand":return A(n.ticket);case"enter":return e.h();case"look":return E("look");case"ended":case"given-up":case"cookies":return r=n.y,m.e(),D.close(),void g({phase:r,link:"polling",problem:null,missedAt:null});case"closed":return I(n.text);case"reload":return e.reload();case"not-yet":return b=Date.now()+n.M+200*Math.random(),A(Object.assign({},n.ticket,{state:"called"}));case"refused":return g({problem:n.problem}),C(t,s(n.M*Math.min(8,2**w++)));case"unreachable":return C(t,i(1+w++,2e3));default:return n}var r})(t,((e,t)=>{if("page"===t.y)return{y:"reload"};if("down"===t.y)return{y:"unreachable"};const{status:n,body:a,M:r}=t;if(404===n||410===n)return((e,t)=>"take"===e||"room-not-found"===t.code?{y:"reload"}:"giveUp"===e?{y:"given-up"}:{y:"look"===e?"ended":"look"})(e,a);if(n>=400)return((e,t)=>{switch(e.code){case"cookies-needed":return{y:"cookies"};case"room-closed":return{y:"closed",text:e.closed||null};case"room-suspended":return{y:"enter"};case"line-full":case"lobby-full":return{y:"refused",problem:"line-full",M:t};case"too-many-joins":return{y:"refused",problem:"too-many-joins",M:t};default:return{y:"refused",problem:"busy",M:t}}})(a,r);switch(e){case"giveUp":return{y:"given-up"};case"look":return{y:"enter"};case"claim":return 202!==n?{y:"enter"}:void 0===a.state||"called"===a.state?{y:"not-yet",M:r,ticket:a}:{y:"stand",ticket:a};case"take":case"ask":return{y:"stand",ticket:a};default:return e}})(t,a)))})},W=()=>{f&&"called"===p().phase&&j()};return{look:W,start(){f=!0,"live"===p().link&&g({link:"polling"}),(()=>{const{phase:e}=p();"taking"===e?E("take"):"closed"===e&&p().ticket?D.open():"waiting"!==e&&"called"!==e||S()||(D.open(),W(),"waiting"===e&&O())})()},stop(){f=!1,v=!1,M++,m.e(),D.close()},d(){const{phase:e}=p();W();const t="lost"===p().link||"offline"===p().link;!f||!t&&Date.now()-y<3e3||("taking"===e&&E("take"),"waiting"===e&&(D.open(),D.d(),E("ask")))},v(){w=0,g({phase:"taking",ticket:null}),E("take")},giveUp:()=>E("giveUp")}})({boot:D,memory:S,api:(e=>{let t=0;const a=async e=>{const a=Date.parse(e.headers.get("Date")||"");if(a&&(t=a-Date.now()),204===e.status)return{y:"json",status:204,body:{},M:5e3};if(!/json/.test(e.headers.get("Content-Type")||""))return e.status<500||e.headers.has("Cf-Mitigated")?{y:"page"}:{y:"down"};const r=await e.json();return{y:"json",status:e.status,body:r,M:n(e,r)}};return{p:e=>Date.parse(e)-t,ask:(t,n)=>Promise.race([fetch(e+n,{method:t,credentials:"same-origin",cache:"no-store",headers:{Accept:"application/json"}}).then(a),new Promise((e,t)=>window.setTimeout(t,15e3))]).catch(()=>({y:"down"}))}})(D.api),state:()=>B,update:q,k:p,h(){L.stop(),S.s(),q({phase:"entering",asks:!1,problem:null}),$.set(900,G)},w:G,reload:U}),R=((e,t)=>{const n=Math.random().toString(36).slice(2),a=u(),r=u();let s=!1,i=0;const o=()=>{s&&(c({type:"lead",id:n,since:i,inSight:p(),state:t.state()}),a.set(5e3,o))},l=()=>{r.e(),s||(s=!0,i=Date.now(),o(),t.lead())},c=(e=>{if("function"!=typeof BroadcastChannel)return()=>{};const u=new BroadcastChannel(e);return u.onmessage=e=>(e=>{if(e.id===n)return;if("hello"===e.type)return o();if("bye"===e.type)return void(s||r.set(300*Math.random(),l));const u=p();if(!(e.inSight===u?e.since>i||e.since===i&&e.id>n||!s:e.inSight))return s?o():l();r.set(16e3,l),s&&(s=!1,a.e(),t.b()),t.hear(e.state)})(e.data),e=>u.postMessage(e)})("seiriken:"+e);return{u:o,open(){if(p())return l();c({type:"hello",id:n}),r.set(600,l)},D:l,hidden:o,S(){if(!s)return r.e();s=!1,a.e(),c({type:"bye",id:n}),t.b()}}})(D.roomId,{state:()=>B,lead(){I=!1,J(),C||L.start()},b:()=>L.stop(),hear(e){I=!0,C="entering"===e.phase,B=e,J()}}),x=()=>{p()&&(R.D(),L.d())},z=()=>{p()?x():R.open()},F=()=>{R.D(),"closed"===B.phase||"cookies"===B.phase?T():L.v()},H=()=>{R.D(),L.giveUp()},K=()=>{if(S.i())return q({phase:"cookies"});var e;e={again:F,"give-up":H},document.addEventListener("click",({target:t})=>{const n=t instanceof Element&&t.closest("[data-seiriken-do]");if(!n)return;const a=e[n.getAttribute("data-seiriken-do")||""];a&&a()}),document.addEventListener("visibilitychange",()=>{if(p())return x();L.look(),R.hidden()}),window.addEventListener("pageshow",e=>{e.persisted&&z()}),window.addEventListener("pagehide",()=>R.S()),document.addEventListener("freeze",()=>R.S()),document.addEventListener("resume",z),window.addEventListener("focus",x),window.addEventListener("online",x),window.addEventListener("offline",()=>{"waiting"!==B.phase&&"taking"!==B.phase||q({link:"offline"})}),R.open()},Q=()=>{B.event&&(B=Object.assign({},B,{event:Object.assign({},B.event,{opensAt:Date.now()+B.event.opensInMs})})),J(),D.isPreview||(document.prerendering?document.addEventListener("prerenderingchange",K):K())};Object.assign(window,{seiriken:{facts:N,again:F,giveUp:H}}),"loading"===document.readyState?document.addEventListener("DOMContentLoaded",Q):Q()})();';

export const eventScript =
  '"use strict";(()=>{var e={hour:"numeric",minute:"2-digit"},n={hour:"numeric",minute:"2-digit",second:"2-digit"},t=e=>{let n;return()=>void 0===n?n=e():n},a={number:null,state:"none",ahead:null},i=({ticket:e})=>e||a,r=({takesIn:e})=>!1===e?"waitingLeadCalls":"waitingLead",s=({claimBy:e},t,a)=>null===e?a.e("calledLead",{span:a.span(t.claimWithin)}):a.e("calledLeadBy",{time:a.time(e,n)}),o=({closed:e,ticket:n},t,a)=>{const i=e||"";if(null===n||null===n.number)return i;const r=a.span(t.returnWindow),s=a.e("closedKept",{number:a.number(n.number),span:r});return""===i?s:`${i}\\n\\n${s}`},l={busy:"busy","line-full":"lineFull","too-many-joins":"tooManyJoins",unavailable:"lost"},u={ended:"takeNew","given-up":"takeNew",closed:"checkAgain",cookies:"tryAgain"},c=(e,n,t,a)=>{const i=[];if(null!==n.lost&&(e=>"called"!==e&&"entering"!==e&&"elsewhere"!==e)(e)&&i.push((({ago:e,at:n,endedAt:t},a)=>null===t?e:a.fill(n,{time:a.time(t)}))(n.lost,a)),n.formLost&&i.push(a.e("formLost")),null!==n.missedAt&&null!==n.ticket&&"away"!==n.ticket.state){const e=a.number(n.ticket.number||0);i.push(a.e("missed",{time:a.time(n.missedAt),number:e}))}return null!==n.problem&&i.push(a.e(l[n.problem])),"offline"!==n.link&&"lost"!==n.link||(i.push(a.e(n.link)),null===n.ticket||null===n.heardAt)||i.push(a.e("keptUntil",{time:a.time(n.heardAt+1e3*t.returnWindow)})),i},d=(e,n,t,a)=>"waiting"===e&&"away"!==n.state&&n.ahead?a.e("titleAhead",{n:n.ahead}):t,g=e=>`${Math.floor(e/60)}:${("0"+e%60).slice(-2)}`,h=1e3,k=3600,w={weekday:"long",day:"numeric",month:"long",hour:"numeric",minute:"2-digit"},p=[1,5,10,30,60],f=({phase:e,shuffle:n},t,a)=>"prequeue"!==e||null===t||a<t?e:n?"drawing":"running",m=(e,n,t,a)=>{const i=t&&t.told.starts_at===e.starts_at?t.opensAt:null,r=null!==i&&Math.abs(i-n)<2e3?Math.min(i,n):n;return{told:e,phase:f(e,r,a),opensInMs:r-a,opensAt:r}},y=e=>{for(const n of p)if(e<=60*n*h)return n;return 1/0},b=(e,n)=>{const t=Number(e.headers.get("Retry-After"));return n.retry_after_ms||(t>0?1e3*t:5e3)},v=[659.3,880],M=e=>{v.forEach((n,t)=>{const a=e.currentTime+.22*t,i=e.createOscillator(),r=e.createGain();i.frequency.value=n,r.gain.setValueAtTime(1e-4,a),r.gain.exponentialRampToValueAtTime(.25,a+.02),r.gain.exponentialRampToValueAtTime(1e-4,a+.5),i.connect(r).connect(e.destination),i.start(a),i.stop(a+.5)})},D=(e,n)=>e.setAttribute("aria-pressed",n+""),S={take:["POST","/tickets"],ask:["GET","/tickets/mine"],claim:["POST","/visits"],giveUp:["DELETE","/tickets/mine"],look:["GET","/visits/mine"]},A=1e3,O=e=>{const n=Math.round(e*(.85+.3*Math.random()));return 5e3===n?n+37:n},$=(e,n)=>{const t=Math.max(n,Math.min(6e4,n*2**Math.min(e,10)));return Math.round(0===e?Math.random()*t:(.5+Math.random()/2)*t)},j=e=>Math.max(2e3,(e||0)/4e4*A),L=0,I=()=>{let e,n=0;const t=()=>{n++,window.clearTimeout(e)};return{t,set(a,i){t();const r=n,s=Date.now()+a;e=window.setTimeout(()=>{L=Math.max(0,Date.now()-s),(e=>{const{port1:n,port2:t}=new MessageChannel;n.onmessage=e,t.postMessage(0)})(()=>{r===n&&i()})},a)}}},U=[4400,4401,4403,4410,4429],B=[4401,4410],N=(e,n)=>{try{return JSON.parse(window[e].getItem(n)||"null")}catch(e){return null}},x=(e,n,t)=>{try{return window[e].setItem(n,JSON.stringify(t)),!0}catch(e){return!1}},T=e=>document.getElementById(e),W=(e,n)=>{n?document.body.setAttribute(e,""):document.body.removeAttribute(e)},C=()=>"visible"===document.visibilityState,E=[0,1,2,3,5,10,20,50,100,200,500,1e3,2e3,5e3,1e4],J=["ended","given-up","closed","cookies"],P=e=>{for(const n of E)if(e<=n)return n;return 1e4*Math.ceil(e/1e4)},R=JSON.parse(T("boot").textContent||""),_=((n,a)=>{const i=t(()=>new Intl.NumberFormat(n)),r=t(()=>"function"==typeof Intl.PluralRules?new Intl.PluralRules(n):null),s=(e,n={})=>("string"==typeof e?e:e[(e=>{const n=r();return null===n?1===e?"one":"other":n.select(e)})(Number(n.n))]||e.other||"").replace(/\\{(\\w+)\\}/g,(e,t)=>{const a=n[t];return"number"==typeof a?i().format(a):a||""}),o=(e,n)=>s(a[e],n);return{fill:s,e:o,span:e=>{const[n,t,a]=e>=7200?["hours","minutes",3600]:["minutes","seconds",60];if(e<120)return o("seconds",{n:Math.round(e)});const i=Math.floor(e/a),r=Math.floor(e%a/(a/60)),s=o(n,{n:i});return 0===r?s:o("spans",{a:s,b:o(t,{n:r})})},wait:e=>{var n,t,a,i;if(!e||!e.known)return o(e&&"long"===e.reason?"waitLong":"waitUnknown");const r=Math.max(0,null!=(t=null!=(n=e.low)?n:e.seconds)?t:0),s=Math.max(r,null!=(i=null!=(a=e.high)?a:e.seconds)?i:0);if(s<50)return o("waitSoon");const l=s>=5400,u=l?1800:s>=1800?300:60,c=l?3600:60,d=Math.floor(r/u)*u/c,g=Math.ceil(s/u)*u/c,h=o(l?"hours":"minutes",{n:g});return 0===d?o("waitUpTo",{span:h}):d===g?o("waitAbout",{span:h}):o(l?"hoursRange":"minutesRange",{low:d,high:g})},number:e=>i().format(e),i:e=>new Intl.NumberFormat(n,{style:"percent",maximumFractionDigits:0}).format(e),time:(t,a=e)=>new Intl.DateTimeFormat(n,a).format(t)}})(R.locale,R.words),q=(e=>{const n=`seiriken:${e}:way`,t=`seiriken:${e}:in`,a=`seiriken:${e}:reloads`,i=`seiriken:${e}:wait`,r=e=>{const n=N("localStorage",i);return null!==n&&n.number===e?n:{}};return{r,s(e,n){x("localStorage",i,Object.assign({},r(e),n,{number:e}))},o(e){const{claimBy:n}=r(e);return n&&n-2e3<=Date.now()?n:null},l(e,t){const a=N("localStorage",n);if(null!==a&&a.number===e&&a.startAhead>=t)return a;const i={number:e,startAhead:t,takenAt:null!==a&&a.number===e?a.takenAt:Date.now()};return x("localStorage",n,i),i},u(){const e=N("sessionStorage",t);x("sessionStorage",t,{at:Date.now(),count:e?e.count:0})},c(){const e=N("sessionStorage",t);if(null===e)return!1;const n=Date.now()-e.at<5e3?e.count+1:0;return x("sessionStorage",t,{at:0,count:n>=3?0:n}),n>=3},d(){const e=N("sessionStorage",a)||0;return x("sessionStorage",a,e+1)?Math.min(3e5,8e3*2**Math.min(e,10)):6e4},g(){N("sessionStorage",a)&&x("sessionStorage",a,0)}}})(R.roomId),G=((e,n,t)=>{let a,i=-6e4,r=null,s=null,o=!1,l=null,u="";return{h(n,c,d){const g=u!==n.phase;if(u=n.phase,J.indexOf(u)>=0)return void(g&&(e.textContent=c));const h=((e,n)=>{const{ticket:i}=e,u=i&&i.ahead,c=[],d="lost"===e.link||"offline"===e.link;return d&&!o&&c.push(t.e(e.link)),o&&!d&&c.push(t.e("saidBack")),null!==e.message&&e.message!==l&&c.push(e.message),null===i||"waiting"!==e.phase||(i.number!==s&&c.push(t.e("saidTicket",{number:t.number(i.number||0)})),n&&n.milestone!==a&&n.saying&&c.push(n.saying),null!==u&&(null===r||P(u)<r)&&(c.push(t.e("saidAhead",{n:u})),i.eta&&i.eta.known&&c.push(t.e("saidWait",{wait:t.wait(i.eta)})))),c})(n,d);if(0===h.length||Date.now()-i<6e4)return;if(i=Date.now(),e.textContent=h.join(" "),o="lost"===n.link||"offline"===n.link,l=n.message,null===n.ticket||"waiting"!==n.phase)return;s=n.ticket.number,d&&(a=d.milestone);const{ahead:k}=n.ticket;r=null===k?null:P(k||0)},alert(e){n.textContent!==e&&(n.textContent=e)}}})(T("status"),T("alert"),_),z=(e=>{const{sound:n,notify:t,note:a}=e,i=window.AudioContext||window.webkitAudioContext,r="Notification"in window&&"serviceWorker"in navigator,s=()=>r&&"granted"===Notification.permission;let o=null,l=!1,u=!1;const c=e=>{u=e,D(t,e),e&&d({})},d=n=>{u&&navigator.serviceWorker.register(e.worker).then(e=>{const{active:t,waiting:i,installing:r}=e;(t||i||r).postMessage(Object.assign({},a,n))},()=>c(!1))};return n.hidden=void 0===i,n.onclick=()=>{l=!l,D(n,l),l&&void 0!==i&&(o=o||new i,o.resume(),M(o))},t.hidden=!r||"denied"===Notification.permission,t.onclick=()=>{if(u)return e.wish(!1),c(!1);Promise.resolve(Notification.requestPermission()).then(()=>{e.wish(s()),c(s())})},{k(){l&&null!==o&&M(o)},w:e=>d({text:e}),p:()=>d({}),f(){!u&&s()&&c(!0)}}})({sound:T("sound"),notify:T("notify"),worker:R.bell,note:{body:R.name,tag:R.roomId,here:location.href,to:R.to},wish:e=>q.s(ee(Z),{notifies:e})}),F=(e=>{const n=e.querySelectorAll(".crowd"),t=e.querySelector("#crowdBehind");return{m:({ticket:a,startAhead:i,waiting:r})=>{const s=a&&a.ahead||0,o=e.getBoundingClientRect().width-46,l=Math.max(3,Math.floor(.78*o/26)-1),u=Math.max(1,Math.max(i||0,s)/l),c=s/u*26;for(let e=0;e<n.length;e++)n[e].style.transform=`translate(${c}px)`;return t.setAttribute("width",26*Math.min(Math.ceil(Math.max(0,(r||0)-s-1)/u),150)+""),(d=u)<1.5?1:d<10?Math.round(d):Number(d.toPrecision(2));var d}}})(T("line")),V=I(),K=I(),Y=I(),H=I(),Q=I(),X=document.documentElement,Z=R.state,ee=({ticket:e})=>e&&e.number,ne=!1,te=!1,ae=!1,ie=()=>{const e=F.m(Z);T("figures").textContent=e>1?_.e("figures",{n:e}):""},re=()=>{X.classList.remove("moves"),ie(),Y.set(50,()=>X.classList.add("moves"))},se=()=>{const{event:e}=Z;if(!e)return;const n=f(e.told,e.opensAt,Date.now());if(n===e.phase)return oe();ue({event:Object.assign({},e,{phase:n}),paused:"drawing"===n})},oe=()=>{const e=((e,n,t,a,l=!0)=>{const g=l||("called"!==e.phase||e.asks)&&"entering"!==e.phase?e.phase:"elsewhere",[h,k]=((e,n,t,a)=>{const l=a.number(i(n).number||0);switch(e){case"waiting":return((e,n)=>{const t=i(e),a=e.paused?"paused":"away"===t.state?"away":0===t.ahead?"next":"waiting";return[n.e(a),n.e("waiting"===a?r(e):a+"Lead")]})(n,a);case"called":return((e,n,t)=>[t.e("called"),s(e,n,t)])(n,t,a);case"ended":return[a.e("ended"),a.e("endedLead",{number:l})];case"given-up":return[a.e("givenUp"),a.e("givenUpLead",{number:l})];case"closed":return[a.e("closed"),o(n,t,a)];case"taking":return n.paused?[a.e("paused"),a.e("pausedTaking")]:[a.e("taking"),a.e("takingLead")];case"entering":case"elsewhere":case"cookies":return[a.e(e),a.e(e+"Lead")];default:return e}})(g,e,n,a),w=i(e),{ahead:p,number:f,eta:m}=w,y=e.drawn?w.among:p,b=u[g],v=e.startAhead||0,M=null===p||v<=0?0:Math.max(0,v-p)/v;return{phase:g,paused:e.paused,headline:h,lead:k,title:`${d(g,w,h,a)} · ${t}`,number:null===f?"":a.number(f),placed:null!==p,ahead:null==y?"":a.e("aheadValue",{n:y}),wait:e.paused?a.e("waitUnknown"):a.wait(m),why:e.paused||!m||"no-ends"!==m.reason?"":a.e("waitNoEnds"),progress:M<.01?"":a.e("progress",{share:a.i(M)}),taken:null===e.takenAt?"":a.e("taken",{time:a.time(e.takenAt)}),heard:null===e.heardAt?"":a.e("heard",{time:a.time(e.heardAt)}),y:c(g,e,n,a),message:e.message||"",again:void 0===b?"":a.e(b)}})(Z,R.spans,R.name,_,!te&&!ne),n=((e,n,t,a,i)=>{const{event:s,ticket:o,waiting:l}=n,u="waiting"===e.phase||"taking"===e.phase,c=u&&(({event:e})=>!!e&&e.told.shuffle&&"running"!==e.phase)(n),d=o&&null!=o.among?o.among:l,p={aheadLabel:a.e(c||n.drawn?"among":"ahead"),waitLabel:a.e("wait"),fair:"",saying:"",milestone:-1},f=s&&u?"prequeue"===s.phase?((e,n,{told:t,opensInMs:a,opensAt:i},s,o)=>{const l=Math.max(0,null===i||null===o?a:i-o),u=s.e("early"),c=s.e(t.shuffle?"earlyLeadDrawn":"earlyLead"),d=null===o?s.span(Math.ceil(l/h)):((e,n)=>{const t=Math.max(0,Math.ceil(e/h));return t<86400?(e=>e<k?g(e):`${Math.floor(e/k)}:${("0"+g(e%k)).slice(-5)}`)(t):n.span(t-t%k)})(l,s),p=Math.ceil(l/h/60);return{headline:u,lead:"taking"===e.phase?s.e("takingLead"):`${c} ${s.e(r(n))}`,waitLabel:s.e("opensIn"),wait:d,why:null===i?"":s.time(i,l<432e5?void 0:w),title:null===o?u:`${d} ${u}`,paused:!0,milestone:y(l),saying:s.e("saidOpens",{span:s.span(60*p)})}})(e,n,s,a,i):((e,{told:n,phase:t},a)=>{if("drawing"===t){const n=a.e("drawing"),t=a.e("waitUnknown");return{headline:n,lead:a.e("taking"===e.phase?"takingLead":"drawingLead"),wait:t,why:"",paused:!0,milestone:0,saying:n}}const i=n.shuffle?a.e("drawn"):"";return{fair:i,milestone:-1,saying:i}})(e,s,a):{},m=void 0===f.headline?{}:{title:`${f.title||f.headline} · ${t}`},b=c&&o&&null!==d?{ahead:a.e("aheadValue",{n:Math.max(1,d)}),placed:!1}:{};return Object.assign({},e,p,f,m,b)})(e,Z,R.name,_,Date.now()),t=n||e;var a;(e=>{document.body.setAttribute("data-phase",e.phase),W("data-paused",e.paused),W("data-ticket",""!==e.number),Object.keys(e).forEach(n=>{const t=e[n];"string"==typeof t&&null!==T(n)&&((e,n)=>{const t=T(e);t.textContent!==n&&(t.textContent=n)})(n,t)}),(e=>{const n=(e=>{const n=e.replace(/[\\s.,\'’٬]/g,"").length;return 57*Math.max(1,n)+27*(e.length-n)})(e)+"";T("face").setAttribute("viewBox",`0 0 ${n} 76`),T("number").setAttribute("textLength",n)})(e.number),T("messageBox").hidden=""===e.message,T("line").parentElement.hidden=!e.placed,(e=>{const n=T("notices");n.textContent!==e.join("")&&(n.textContent="",e.forEach(e=>{n.appendChild(document.createElement("li")).textContent=e}))})(e.y)})(t),(({fair:e})=>{const{event:n}=Z;if(T("fairBox").hidden=""===e,!n)return;const t=null===ee(Z)?"":"?number="+ee(Z);if(T("check").setAttribute("href",`${R.api}/draws/${n.told.id}${t}`),"prequeue"!==n.phase||null===n.opensAt)return;const a=n.opensAt-Date.now();Q.set(a>864e5?6e4:Math.max(0,a-1)%A+1,se)})(n),a=Z.asks?((e,n)=>{if(null===n)return"● "+e;const t=Math.max(0,Math.ceil((n-Date.now())/1e3));return`${t%2==0?"●":"○"} ${g(t)} ${e}`})(t.title,Z.claimBy):t.title,document.title!==a&&(document.title=a),T("takeIn").setAttribute("aria-pressed",(!0===Z.takesIn)+""),ie(),G.h(Z,t.headline,n),"called"!==t.phase&&"elsewhere"!==t.phase||G.alert(t.headline)},le=e=>H.set(A,()=>{Z.asks&&!te&&(oe(),e%10==0&&z.k(),ge.look(),le(e+1))}),ue=e=>{const n=Z;Z=Object.assign({},Z,e),oe(),q.r(ee(Z)).notifies&&z.f(),(e=>{const{phase:n,asks:t,ticket:a}=Z;"called"===n&&"called"!==e.phase&&z.k(),t&&!e.asks&&(z.w(_.e("called")),le(1)),e.asks&&!t&&(C()?z.p():"entering"===n?z.w(_.e("entering")):null!==a&&"away"===a.state&&z.w(_.e("away")))})(n),he.w()},ce=()=>{Z.formLost?location.replace(R.to):location.reload()},de=()=>{const e=location.pathname+location.search;""===location.hash||e!==R.to||Z.formLost?location.replace(R.to):location.reload()},ge=(e=>{const{boot:n,api:t,memory:a,state:i,update:r}=e,s=I();let o=!1,l=0,u=0,c=0,d=!1,g=null;const h=((e,n)=>{const t=location.origin.replace(/^http/,"ws")+e+"/socket",a=I(),i=I();let r=null,s=!1,o=0,l=0;const u=e=>{const t=r;if(r=null,i.t(),null!==t&&(t.onopen=t.onmessage=t.onclose=null,t.close()),!s)return;const o=U.indexOf(e)<0?$(l++,n.v()):12e4;a.set(o,d),n.down(e)},c=()=>i.set(O(3e4),()=>{if(Date.now()-o>65e3)return u(1006);null!==r&&r.readyState===WebSocket.OPEN&&r.send("ping"),c()}),d=()=>{a.t(),o=Date.now();try{r=new WebSocket(t)}catch(e){return u(1006)}r.onopen=()=>null!==r&&r.send("ping"),r.onmessage=e=>(e=>{if(o=Date.now(),"string"!=typeof e||"pong"===e)return;let t;try{t=JSON.parse(e)}catch(e){return}"ready?"!==t.type?(l=0,n.message(t)):null!==r&&r.send(\'{"type":"ready"}\')})(e.data),r.onclose=e=>u(e.code),c()};return{open(){s||(s=!0,d())},close(){s=!1,a.t(),u(1e3)},M(){s&&!(()=>{if(null===r)return!1;const e=Date.now()-o;return r.readyState===WebSocket.CONNECTING?e<1e4:r.readyState===WebSocket.OPEN&&e<35e3})()&&(l=0,s=!1,u(1e3),s=!0,d())}}})(n.api,{v:()=>j(i().waiting),down:e=>{if("live"===i().link&&r({link:"polling"}),"closed"===i().phase)return h.close();if(k())return h.close();if("waiting"!==i().phase)return;const n=B.indexOf(e)<0?j(i().waiting):A;s.set(Math.random()*n+200,()=>D("ask"))},message:e=>{"live"!==i().link&&r({link:"live"}),"event"===e.type?p(e.event,e.now):"message"===e.type?r({message:e.text||null}):"paused"===e.type?r({paused:e.paused}):"closed"===e.type?v(e.text):"reload"===e.type||!1===e.closed&&"closed"===i().phase?s.set(2e3+Math.random()*j(i().waiting),b):"waiting"!==i().phase&&"called"!==i().phase||("position"===e.type?(f(e),"away"!==e.state||k()||D("ask")):"called"===e.type&&f({state:"called",ahead:0,claim_by:e.claim_by||null}))}}),k=()=>{const{phase:n,ticket:t,takesIn:a}=i();return"waiting"===n&&null!==t&&"away"===t.state&&!a&&!e.D()},w=()=>{if(k())return u=0,s.t();const{link:e,ticket:t}=i();s.set(Math.max(A,O(("live"===e?n.spans.returnWindow/4:t&&t.poll_after_seconds||5)*A)-(Date.now()-u)),()=>D("ask"))},p=(e,n)=>{const t=Date.now();r({event:e&&m(e,t+(null===e?0:Date.parse(e.starts_at)-Date.parse(n)),i().event,t)})},f=n=>{const s=i().ticket,o=Object.assign({},s,n);if(null==o.number)return D("take");if("visiting"===o.state)return e.S();const l=o.ahead||0,u=a.l(o.number,l),c=null!==s&&(s.ahead||0)>l,d="called"===o.state,p=d&&o.claim_by?t.A(o.claim_by):null;null!==p&&a.s(o.number,{claimBy:p}),"called"!==i().phase&&(g=null);const f={ticket:o,phase:d?"called":"waiting",claimBy:p,asks:d&&!e.D(),takesIn:!0===a.r(o.number).takesIn,missedAt:d?null:a.o(o.number),startAhead:u.startAhead,takenAt:u.takenAt,heardAt:Date.now(),waiting:void 0===n.waiting?i().waiting:n.waiting,paused:i().paused&&!c&&!d,problem:null};Object.assign(f,(({event:e,poll_after_seconds:n})=>{if(!n)return{};const a=i().event,r=e?m(e,t.A(e.starts_at),a,Date.now()):null;return((e,n)=>!(!e||"running"===e.phase||n&&"running"!==n.phase))(a,r)?{event:r,paused:!1}:{event:r}})(n)),r(f),k()||h.open(),d?y():w()},y=()=>{if(d)return;const t=Date.now(),{claimBy:a,takesIn:o,asks:l}=i(),u=e.D(),c=((e,n)=>{const{D:t,takesIn:a,claimBy:i,O:r,$:s,j:o}=e;return t||a?Math.max(n,t||null!==s||null===i?s||0:i-(Math.min(2e4,r/2)+o)):null})({D:u,takesIn:!0===o,claimBy:a,O:n.spans.claimWithin*A,$:g,j:L},t);return l===u&&r({asks:!u}),null!==c?c<=t?D("claim"):s.set(c-t,y):null===a?s.set(A,()=>D("ask")):void s.set(a+1500-t,()=>f({state:"away",claim_by:null}))},b=()=>{if(e.D())return e.L();r({phase:"taking"}),D("take")},v=e=>{s.t(),r({phase:"closed",closed:e||i().closed,problem:null})},M=(e,n)=>{if("claim"!==e)return s.set(n,()=>D(e));g=Date.now()+n,y()},D=n=>{s.t(),u=Date.now(),d="claim"===n;const k=++c,[w,p]=S[n];t.ask(w,p).then(t=>{k===c&&o&&(d=!1,"json"===t.I&&a.g(),((n,t)=>{const a="unreachable"===t.I||"reload"===t.I;switch(a?r({link:!1===navigator.onLine?"offline":"lost"}):"lost"!==i().link&&"offline"!==i().link||r({link:"polling"}),a||"refused"===t.I||(l=0),t.I){case"stand":return f(t.ticket);case"enter":return e.S();case"look":return D("look");case"ended":case"given-up":case"cookies":return o=t.I,s.t(),h.close(),void r({phase:o,link:"polling",problem:null,missedAt:null});case"closed":return v(t.text);case"reload":return e.reload();case"not-yet":return g=Date.now()+t.U+200*Math.random(),f(Object.assign({},t.ticket,{state:"called"}));case"refused":return r({problem:t.problem}),M(n,O(t.U*Math.min(8,2**l++)));case"unreachable":return M(n,$(1+l++,2e3));default:return t}var o})(n,((e,n)=>{if("page"===n.I)return{I:"reload"};if("down"===n.I)return{I:"unreachable"};const{status:t,body:a,U:i}=n;if(404===t||410===t)return((e,n)=>"take"===e||"room-not-found"===n.code?{I:"reload"}:"giveUp"===e?{I:"given-up"}:{I:"look"===e?"ended":"look"})(e,a);if(t>=400)return((e,n)=>{switch(e.code){case"cookies-needed":return{I:"cookies"};case"room-closed":return{I:"closed",text:e.closed||null};case"room-suspended":return{I:"enter"};case"line-full":case"lobby-full":return{I:"refused",problem:"line-full",U:n};case"too-many-joins":return{I:"refused",problem:"too-many-joins",U:n};default:return{I:"refused",problem:"busy",U:n}}})(a,i);switch(e){case"giveUp":return{I:"given-up"};case"look":return{I:"enter"};case"claim":return 202!==t?{I:"enter"}:void 0===a.state||"called"===a.state?{I:"not-yet",U:i,ticket:a}:{I:"stand",ticket:a};case"take":case"ask":return{I:"stand",ticket:a};default:return e}})(n,t)))})},N=()=>{o&&"called"===i().phase&&y()};return{look:N,start(){o=!0,"live"===i().link&&r({link:"polling"}),(()=>{const{phase:e}=i();"taking"===e?D("take"):"closed"===e&&i().ticket?h.open():"waiting"!==e&&"called"!==e||k()||(h.open(),N(),"waiting"===e&&w())})()},stop(){o=!1,d=!1,c++,s.t(),h.close()},M(){const{phase:e}=i();N();const n="lost"===i().link||"offline"===i().link;!o||!n&&Date.now()-u<3e3||("taking"===e&&D("take"),"waiting"===e&&(h.open(),h.M(),D("ask")))},B(){l=0,r({phase:"taking",ticket:null}),D("take")},giveUp:()=>D("giveUp")}})({boot:R,memory:q,api:(e=>{let n=0;const t=async e=>{const t=Date.parse(e.headers.get("Date")||"");if(t&&(n=t-Date.now()),204===e.status)return{I:"json",status:204,body:{},U:5e3};if(!/json/.test(e.headers.get("Content-Type")||""))return e.status<500||e.headers.has("Cf-Mitigated")?{I:"page"}:{I:"down"};const a=await e.json();return{I:"json",status:e.status,body:a,U:b(e,a)}};return{A:e=>Date.parse(e)-n,ask:(n,a)=>Promise.race([fetch(e+a,{method:n,credentials:"same-origin",cache:"no-store",headers:{Accept:"application/json"}}).then(t),new Promise((e,n)=>window.setTimeout(n,15e3))]).catch(()=>({I:"down"}))}})(R.api),state:()=>Z,update:ue,D:C,S(){ge.stop(),q.u(),ue({phase:"entering",asks:!1,problem:null}),K.set(900,de)},L:ce,reload(){ae||(ae=!0,V.set(O(q.d()),ce))}}),he=((e,n)=>{const t=Math.random().toString(36).slice(2),a=I(),i=I();let r=!1,s=0;const o=()=>{r&&(u({type:"lead",id:t,since:s,inSight:C(),state:n.state()}),a.set(5e3,o))},l=()=>{i.t(),r||(r=!0,s=Date.now(),o(),n.lead())},u=(e=>{if("function"!=typeof BroadcastChannel)return()=>{};const u=new BroadcastChannel(e);return u.onmessage=e=>(e=>{if(e.id===t)return;if("hello"===e.type)return o();if("bye"===e.type)return void(r||i.set(300*Math.random(),l));const u=C();if(!(e.inSight===u?e.since>s||e.since===s&&e.id>t||!r:e.inSight))return r?o():l();i.set(16e3,l),r&&(r=!1,a.t(),n.h()),n.hear(e.state)})(e.data),e=>u.postMessage(e)})("seiriken:"+e);return{w:o,open(){if(C())return l();u({type:"hello",id:t}),i.set(600,l)},N:l,hidden:o,x(){if(!r)return i.t();r=!1,a.t(),u({type:"bye",id:t}),n.h()}}})(R.roomId,{state:()=>Z,lead(){te=!1,oe(),ne||ge.start()},h:()=>ge.stop(),hear(e){te=!0,ne="entering"===e.phase,Z=Object.assign({},e,{formLost:R.state.formLost,lost:Z.lost}),oe()}}),ke=()=>{C()&&(z.p(),he.N(),ge.M())},we=()=>{if(C())return ke();ge.look(),he.hidden()},pe=()=>{C()?ke():he.open()},fe=()=>{(({words:e,number:n,giveUp:t,T:a,again:i})=>{const r=T("giveUp"),s=T("giveUpBox"),o=e=>{s.hidden=!e,r.setAttribute("aria-expanded",e+""),(e?T("giveUpNo"):r).focus()},l=e=>{e(),T("headline").focus()};r.onclick=()=>{T("giveUpAsk").textContent=e.e("giveUpAsk",{number:n()}),o(s.hidden)},T("takeIn").onclick=a,T("giveUpNo").onclick=()=>o(!1),s.onkeydown=e=>{"Escape"===e.key&&o(!1)},T("giveUpYes").onclick=()=>{o(!1),l(t)},T("again").onclick=()=>l(i)})({number:()=>_.number(Z.ticket&&Z.ticket.number||0),words:_,giveUp(){he.N(),ge.giveUp()},T(){const e=!0!==Z.takesIn;q.s(ee(Z),{takesIn:e}),he.N(),ue({takesIn:e})},again(){he.N(),"closed"===Z.phase||"cookies"===Z.phase?ce():ge.B()}}),document.addEventListener("visibilitychange",we),window.addEventListener("pageshow",e=>{e.persisted&&pe()}),window.addEventListener("pagehide",()=>he.x()),document.addEventListener("freeze",()=>he.x()),document.addEventListener("resume",pe),window.addEventListener("focus",ke),window.addEventListener("online",ke),window.addEventListener("offline",()=>{"waiting"!==Z.phase&&"taking"!==Z.phase||ue({link:"offline"})}),window.addEventListener("resize",re),he.open()};X.className="scripts",Z.lost&&(Z=Object.assign({},Z,{lost:Object.assign({},Z.lost,{endedAt:Date.now()-Z.lost.agoMs})})),Z.event&&(Z=Object.assign({},Z,{event:Object.assign({},Z.event,{opensAt:Date.now()+Z.event.opensInMs})})),"cookies"!==Z.phase&&"taking"!==Z.phase||(Z=Object.assign({},Z,{phase:navigator.cookieEnabled?"taking":"cookies"})),q.c()&&(Z=Object.assign({},Z,{phase:"cookies"})),oe(),re(),document.prerendering?document.addEventListener("prerenderingchange",fe):fe()})();';

export const eventCss =
  "#fairBox{margin-top:1.25rem;max-width:34rem;color:var(--soft)}#check{color:var(--ink);font-weight:650;text-underline-offset:.2em}";

export const proofVersion = "d73ff84d";

export const catalogs: Catalogs = {
  en: {
    dir: "ltr",
    page: {
      aheadValue: "{n}",
      waitUnknown: "Not known yet",
      waitNoEnds: "It will be once the first visitors have left.",
      waitLong: "More than a day",
      waitSoon: "Under a minute",
      waitUpTo: "Up to {span}",
      waitAbout: "About {span}",
      minutesRange: "{low}–{high} minutes",
      hoursRange: "{low}–{high} hours",
      seconds: { one: "{n} second", other: "{n} seconds" },
      minutes: { one: "{n} minute", other: "{n} minutes" },
      hours: { one: "{n} hour", other: "{n} hours" },
      spans: "{a} {b}",
      taken: "Taken at {time}",
      heard: "As of {time}",
      progress: "You have come {share} of the way.",
      figures: "Each figure stands for about {n} people.",
      titleAhead: "{n} ahead",
      taking: "Taking your ticket",
      takingLead: "One moment. Your number is on its way.",
      waiting: "You are in line",
      waitingLead: "When it is your turn, this page takes you in by itself.",
      waitingLeadCalls:
        "When it is your turn, this page calls you, and takes you in as soon as you look at it.",
      next: "You are next",
      nextLead: "Nobody is ahead of you. Stay with this page: it takes you in by itself.",
      away: "You missed your call",
      awayLead:
        "Your number was called and nobody came. You keep your place: you are back in line as soon as you look at this page.",
      paused: "The doors are closed for the moment",
      pausedLead:
        "Nobody is being let in right now. Your place is kept, and it goes on as soon as the doors open.",
      pausedTaking: "Nobody is being let in right now. Your number is on its way.",
      called: "It is your turn",
      calledLead: "Please go in now. You have {span}.",
      calledLeadBy: "Your turn is kept until {time}.",
      entering: "Here you go",
      enteringLead: "The page you came for is opening.",
      elsewhere: "It is your turn, in your other tab",
      elsewhereLead: "You are going in with another tab or window. You can close this one.",
      ended: "Your place has ended",
      endedLead:
        "Number {number} is no longer in line: it was used, the time to come back was over, or its call was missed too often.",
      givenUp: "You gave up your place",
      givenUpLead: "Number {number} has left the line, and everyone behind it moves up. Thank you.",
      closed: "This line is closed",
      closedKept:
        "Number {number} stays yours: if this line opens again within {span}, you go on where you are.",
      cookies: "This page needs cookies",
      cookiesLead:
        "Your place in line is kept in a cookie, and your browser did not send it back. You have no place yet. Please allow cookies for this site, then try again.",
      formLost: "Your form has not been sent. Please fill it in and send it again once you are in.",
      missed:
        "Your turn was kept until {time} and passed unused. You keep number {number}, and are called again.",
      offline: "You are offline. The page goes on as soon as you are connected again.",
      lost: "The connection is interrupted. The page keeps trying by itself.",
      keptUntil: "Your place is kept until {time}.",
      busy: "It is very busy here. The page tries again by itself in a moment.",
      lineFull: "The line is full at the moment. The page tries again by itself.",
      tooManyJoins:
        "Too many tickets are being taken from your network at once. The page tries again by itself.",
      takeNew: "Take a new number",
      checkAgain: "Check again",
      tryAgain: "Try again",
      giveUpAsk:
        "Give up number {number}? You would lose your place, and start again at the end of the line.",
      saidTicket: "Your number is {number}.",
      saidAhead: { one: "{n} person is ahead of you.", other: "{n} people are ahead of you." },
      saidWait: "Estimated wait: {wait}.",
      saidBack: "You are connected again.",
    },
    server: {
      ahead: "Ahead of you",
      wait: "Estimated wait",
      among: "You are one of",
      waitDrawn: "Drawn by lot: any turn may be yours",
      number: "Your number",
      you: "You",
      line: "The line",
      goIn: "Go in",
      message: "A message from {name}",
      holds: "What you can count on",
      holdsReturn: "You may close this page. Come back within this time and you keep your place.",
      holdsClaim: "Once you are called, you have this long to go in.",
      holdsSession: "Inside, you may stay this long without activity.",
      sound: "Sound at my turn",
      notify: "Notification at my turn",
      takeIn: "Take me in even if I look elsewhere",
      takeInHint:
        "Your visit then begins even if you are not there. After {session} without activity it ends, and your number with it.",
      giveUp: "Give up my place",
      giveUpYes: "Yes, give it up",
      giveUpNo: "Keep my place",
      reference: "Reference {reference}",
      scriptless:
        "Without scripts, this page looks for you every {span}. To give up your place, simply close it.",
      reloads: "This page asks again in {span}, by itself. To give up your place, simply close it.",
      scriptlessTaking: "Your ticket comes the next time this page loads.",
      proof:
        "A short check comes before your number, so that robots can't take them all. It runs by itself.",
      checkNow: "Check now",
    },
    lost: {
      at: "at {time}",
      ago: "{span} ago",
      inactive: "Your visit ended {when} after {span} without activity.",
      inactiveSometime: "Your visit ended {when}, because there was no activity.",
      timeUp: "Your visit ended {when}. It had lasted {span}, as long as a visit may.",
      finished: "Your visit ended {when}. It was finished by you or by the site.",
      revoked: "All visits were ended {when} by the people who run this site.",
      unconfirmed:
        "Your visit ended {when}. Others were waiting, and your browser had not come back within {span}.",
      unknown: "Your visit is over. It was last renewed {when}.",
    },
    event: {
      early: "The doors are not open yet",
      earlyLead: "Once they open, numbers are called in order.",
      earlyLeadDrawn:
        "Once they open, the order is drawn. Everyone with a ticket by then has the same chance, early or late.",
      opensIn: "The doors open in",
      saidOpens: "The doors open in {span}.",
      drawing: "The order is being drawn",
      drawingLead:
        "Everyone who was here when the doors opened has the same chance. Your place shows as soon as it is known.",
      drawn:
        "Those who were here when the doors opened had their order drawn by lot. Anyone can check that it was fair.",
      check: "Check the draw",
    },
    error: {
      reference: "Reference",
      tell: "If you ask the site for help, tell it this.",
      again: "Try again",
      back: "Back to the page before",
      front: "To the front page",
      byItself: "This page tries again by itself in {span}.",
      full: "It is full right now",
      fullDetail:
        "Everybody who fits is inside, and there is no line to wait in. Please try again in a while.",
      originUnreachable: "The site did not answer",
      originUnreachableDetail: "It has not got what you sent. Please try again in a moment.",
      originLost: "The site gave no answer",
      originLostDetail:
        "It may or may not have done what you asked. Please look before you do it again.",
      originTimeout: "The site took too long to answer",
      originTimeoutDetail:
        "It may still have done what you asked. Please look before you do it again.",
      paced: "One moment, please",
      pacedDetail: "The site takes no more requests this second. Your visit goes on.",
      notReady: "One moment, please",
      notReadyDetail: "This site's waiting room is starting.",
      internal: "Something broke here",
      internalDetail: "Please try again. If it stays, tell the site the reference.",
      ambiguousUrl: "This address has no single meaning",
      ambiguousUrlDetail: "Please check how it is spelled, or begin at the front page.",
      unknownHost: "This site is not served here",
      unknownHostDetail:
        "Its operator can name this host in a room's route or in PASS_HOSTS. A proxy in front has to send its visitors' Host on (nginx: proxy_set_header Host $http_host).",
      ambiguousHost: "This site is not served under this name",
      ambiguousHostDetail:
        "Its operator can name this host in the route of the room that is meant. A proxy in front has to send its visitors' Host on (nginx: proxy_set_header Host $http_host).",
      roomNotFound: "There is no such waiting room",
      roomNotFoundDetail: "Please check the address, or begin at the front page.",
      notFound: "There is nothing here",
      notFoundDetail: "Please check the address, or begin at the front page.",
    },
  },
  de: {
    dir: "ltr",
    page: {
      aheadValue: "{n}",
      waitUnknown: "Noch nicht bekannt",
      waitNoEnds: "Das zeigt sich, sobald die Ersten gegangen sind.",
      waitLong: "Mehr als einen Tag",
      waitSoon: "Unter einer Minute",
      waitUpTo: "Bis zu {span}",
      waitAbout: "Etwa {span}",
      minutesRange: "{low}–{high} Minuten",
      hoursRange: "{low}–{high} Stunden",
      seconds: { one: "{n} Sekunde", other: "{n} Sekunden" },
      minutes: { one: "{n} Minute", other: "{n} Minuten" },
      hours: { one: "{n} Stunde", other: "{n} Stunden" },
      spans: "{a} {b}",
      taken: "Gezogen um {time}",
      heard: "Stand {time}",
      progress: "Sie haben {share} des Weges hinter sich.",
      figures: "Jede Figur steht für etwa {n} Personen.",
      titleAhead: "{n} vor Ihnen",
      taking: "Ihre Nummer wird gezogen",
      takingLead: "Einen Moment bitte, Ihre Nummer kommt gleich.",
      waiting: "Sie stehen in der Schlange",
      waitingLead: "Sobald Sie an der Reihe sind, bringt diese Seite Sie von selbst hinein.",
      waitingLeadCalls:
        "Sobald Sie an der Reihe sind, ruft diese Seite Sie, und bringt Sie hinein, wenn Sie sie ansehen.",
      next: "Sie sind als Nächstes dran",
      nextLead:
        "Niemand ist mehr vor Ihnen. Bleiben Sie auf dieser Seite: Sie bringt Sie von selbst hinein.",
      away: "Sie haben Ihren Aufruf verpasst",
      awayLead:
        "Ihre Nummer wurde aufgerufen, aber niemand kam. Ihr Platz bleibt Ihnen: Sie stehen wieder an, sobald Sie diese Seite ansehen.",
      paused: "Die Türen sind im Moment geschlossen",
      pausedLead:
        "Gerade wird niemand eingelassen. Ihr Platz bleibt Ihnen; es geht weiter, sobald die Türen öffnen.",
      pausedTaking: "Gerade wird niemand eingelassen. Ihre Nummer kommt gleich.",
      called: "Sie sind an der Reihe",
      calledLead: "Bitte gehen Sie jetzt hinein. Sie haben {span} Zeit.",
      calledLeadBy: "Ihr Aufruf gilt bis {time}.",
      entering: "Bitte eintreten",
      enteringLead: "Die Seite, zu der Sie wollten, öffnet sich.",
      elsewhere: "Sie sind an der Reihe – im anderen Tab",
      elsewhereLead:
        "Sie gehen mit einem anderen Tab oder Fenster hinein. Dieses hier können Sie schließen.",
      ended: "Ihr Platz ist verfallen",
      endedLead:
        "Nummer {number} steht nicht mehr in der Schlange: Sie wurde benutzt, die Zeit zum Wiederkommen war vorbei, oder ihr Aufruf wurde zu oft verpasst.",
      givenUp: "Sie haben Ihren Platz abgegeben",
      givenUpLead:
        "Nummer {number} hat die Schlange verlassen, und alle dahinter rücken auf. Danke.",
      closed: "Diese Schlange ist geschlossen",
      closedKept:
        "Nummer {number} bleibt Ihre: Öffnet diese Schlange innerhalb von {span} wieder, geht es für Sie weiter, wo Sie stehen.",
      cookies: "Diese Seite braucht Cookies",
      cookiesLead:
        "Ihr Platz wird in einem Cookie aufbewahrt, und Ihr Browser hat ihn nicht zurückgeschickt. Sie haben noch keinen Platz. Bitte erlauben Sie Cookies für diese Seite und versuchen Sie es noch einmal.",
      formLost:
        "Ihr Formular wurde nicht abgeschickt. Bitte füllen Sie es noch einmal aus, sobald Sie drin sind.",
      missed:
        "Ihr Aufruf galt bis {time} und verstrich ungenutzt. Sie behalten die Nummer {number} und werden noch einmal aufgerufen.",
      offline: "Sie sind offline. Es geht weiter, sobald Sie wieder verbunden sind.",
      lost: "Die Verbindung ist unterbrochen. Die Seite versucht es von selbst weiter.",
      keptUntil: "Ihr Platz bleibt Ihnen bis {time}.",
      busy: "Hier ist gerade sehr viel los. Die Seite versucht es gleich von selbst noch einmal.",
      lineFull: "Die Schlange ist im Moment voll. Die Seite versucht es von selbst noch einmal.",
      tooManyJoins:
        "Aus Ihrem Netz werden gerade zu viele Nummern gezogen. Die Seite versucht es von selbst noch einmal.",
      takeNew: "Neue Nummer ziehen",
      checkAgain: "Noch einmal nachsehen",
      tryAgain: "Noch einmal versuchen",
      giveUpAsk:
        "Nummer {number} abgeben? Sie verlieren Ihren Platz und müssten sich wieder hinten anstellen.",
      saidTicket: "Ihre Nummer ist {number}.",
      saidAhead: { one: "{n} Person ist vor Ihnen.", other: "{n} Personen sind vor Ihnen." },
      saidWait: "Geschätzte Wartezeit: {wait}.",
      saidBack: "Sie sind wieder verbunden.",
    },
    server: {
      ahead: "Vor Ihnen",
      wait: "Geschätzte Wartezeit",
      among: "Das Los entscheidet unter",
      waitDrawn: "Jeder Aufruf wird ausgelost",
      number: "Ihre Nummer",
      you: "Sie",
      line: "Die Schlange",
      goIn: "Hineingehen",
      message: "Nachricht von {name}",
      holds: "Darauf können Sie sich verlassen",
      holdsReturn:
        "Sie dürfen diese Seite schließen. Kommen Sie in dieser Zeit zurück, behalten Sie Ihren Platz.",
      holdsClaim: "So lange haben Sie nach dem Aufruf Zeit, hineinzugehen.",
      holdsSession: "So lange dürfen Sie drinnen sein, ohne etwas zu tun.",
      sound: "Ton beim Aufruf",
      notify: "Mitteilung beim Aufruf",
      takeIn: "Auch einlassen, wenn ich woanders bin",
      takeInHint:
        "Ihr Besuch beginnt dann auch, wenn Sie nicht da sind. Nach {session} ohne Aktivität endet er, und mit ihm Ihre Nummer.",
      giveUp: "Platz abgeben",
      giveUpYes: "Ja, abgeben",
      giveUpNo: "Platz behalten",
      reference: "Referenz {reference}",
      scriptless:
        "Ohne Skripte sieht diese Seite alle {span} für Sie nach. Um Ihren Platz abzugeben, schließen Sie sie einfach.",
      reloads:
        "Diese Seite fragt in {span} von selbst wieder nach. Um Ihren Platz abzugeben, schließen Sie sie einfach.",
      scriptlessTaking: "Ihre Nummer kommt, wenn diese Seite das nächste Mal lädt.",
      proof:
        "Vor Ihrer Nummer kommt eine kurze Prüfung, damit Roboter nicht alle nehmen. Sie läuft von selbst.",
      checkNow: "Jetzt nachsehen",
    },
    lost: {
      at: "um {time} Uhr",
      ago: "vor {span}",
      inactive: "Ihr Besuch endete {when} nach {span} ohne Aktivität.",
      inactiveSometime: "Ihr Besuch endete {when}, weil es keine Aktivität gab.",
      timeUp:
        "Ihr Besuch endete {when}. Er hatte {span} gedauert, so lange wie ein Besuch dauern darf.",
      finished: "Ihr Besuch endete {when}. Sie oder die Website haben ihn beendet.",
      revoked: "Alle Besuche wurden {when} von den Betreibern dieser Website beendet.",
      unconfirmed:
        "Ihr Besuch endete {when}. Andere warteten, und Ihr Browser hatte sich nicht innerhalb von {span} zurückgemeldet.",
      unknown: "Ihr Besuch ist vorbei. Zuletzt verlängert wurde er {when}.",
    },
    event: {
      early: "Die Türen sind noch geschlossen",
      earlyLead: "Sobald sie öffnen, werden die Nummern der Reihe nach aufgerufen.",
      earlyLeadDrawn:
        "Sobald sie öffnen, wird die Reihenfolge ausgelost. Wer bis dahin eine Nummer hat, hat die gleiche Chance, ob früh oder spät gekommen.",
      opensIn: "Die Türen öffnen in",
      saidOpens: "Die Türen öffnen in {span}.",
      drawing: "Die Reihenfolge wird ausgelost",
      drawingLead:
        "Wer da war, als die Türen öffneten, hat die gleiche Chance. Ihr Platz erscheint hier, sobald er feststeht.",
      drawn:
        "Unter denen, die da waren, als die Türen öffneten, entschied das Los über die Reihenfolge. Jeder kann nachprüfen, ob es gerecht zuging.",
      check: "Auslosung nachprüfen",
    },
    error: {
      reference: "Referenz",
      tell: "Nennen Sie diese Referenz, wenn Sie die Website um Hilfe bitten.",
      again: "Noch einmal versuchen",
      back: "Zurück zur vorigen Seite",
      front: "Zur Startseite",
      byItself: "Diese Seite versucht es in {span} von selbst noch einmal.",
      full: "Im Moment ist alles voll",
      fullDetail:
        "Alle Plätze sind besetzt, und es gibt keine Schlange. Bitte versuchen Sie es später noch einmal.",
      originUnreachable: "Die Website hat nicht geantwortet",
      originUnreachableDetail:
        "Ihre Anfrage ist nicht angekommen. Bitte versuchen Sie es gleich noch einmal.",
      originLost: "Von der Website kam keine Antwort",
      originLostDetail:
        "Vielleicht hat sie getan, worum Sie gebeten haben, vielleicht nicht. Bitte sehen Sie nach, bevor Sie es wiederholen.",
      originTimeout: "Die Website hat zu lange gebraucht",
      originTimeoutDetail:
        "Vielleicht hat sie trotzdem getan, worum Sie gebeten haben. Bitte sehen Sie nach, bevor Sie es wiederholen.",
      paced: "Einen Moment bitte",
      pacedDetail:
        "In dieser Sekunde nimmt die Website keine weiteren Anfragen an. Ihr Besuch geht weiter.",
      notReady: "Einen Moment bitte",
      notReadyDetail: "Der Warteraum dieser Website startet gerade.",
      internal: "Hier ist etwas kaputtgegangen",
      internalDetail:
        "Bitte versuchen Sie es noch einmal. Wenn es so bleibt, nennen Sie der Website die Referenz.",
      ambiguousUrl: "Diese Adresse ist nicht eindeutig",
      ambiguousUrlDetail:
        "Bitte prüfen Sie die Schreibweise, oder beginnen Sie auf der Startseite.",
      unknownHost: "Diese Website gibt es hier nicht",
      unknownHostDetail:
        "Wer sie betreibt, kann diesen Host in der Route eines Raums oder in PASS_HOSTS nennen. Ein Proxy davor muss den Host seiner Besucher weitergeben (nginx: proxy_set_header Host $http_host).",
      ambiguousHost: "Unter diesem Namen gibt es die Website hier nicht",
      ambiguousHostDetail:
        "Wer sie betreibt, kann diesen Host in der Route des gemeinten Raums nennen. Ein Proxy davor muss den Host seiner Besucher weitergeben (nginx: proxy_set_header Host $http_host).",
      roomNotFound: "Diesen Warteraum gibt es nicht",
      roomNotFoundDetail: "Bitte prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.",
      notFound: "Hier ist nichts",
      notFoundDetail: "Bitte prüfen Sie die Adresse, oder beginnen Sie auf der Startseite.",
    },
  },
  ja: {
    dir: "ltr",
    page: {
      aheadValue: "{n}人",
      waitUnknown: "まだわかりません",
      waitNoEnds: "最初の方が退出されるとわかります。",
      waitLong: "1日以上",
      waitSoon: "1分以内",
      waitUpTo: "{span}以内",
      waitAbout: "約{span}",
      minutesRange: "{low}〜{high}分",
      hoursRange: "{low}〜{high}時間",
      seconds: { other: "{n}秒" },
      minutes: { other: "{n}分" },
      hours: { other: "{n}時間" },
      spans: "{a}{b}",
      taken: "{time} 発券",
      heard: "{time} 現在",
      progress: "ここまで{share}進みました。",
      figures: "人のマーク1つが約{n}人分です。",
      titleAhead: "あと{n}人",
      taking: "整理券をお取りしています",
      takingLead: "少しお待ちください。まもなく番号が出ます。",
      waiting: "順番をお待ちください",
      waitingLead: "順番が来ましたら、このページが自動でご案内します。",
      waitingLeadCalls: "順番が来ましたらお知らせし、このページをご覧になりしだいご案内します。",
      next: "次はあなたの番です",
      nextLead: "前にお待ちの方はいません。まもなく自動でご案内します。",
      away: "お呼び出しの時間が過ぎました",
      awayLead: "番号はそのままです。このページをご覧になると列に戻ります。",
      paused: "ただいま入場を止めています",
      pausedLead: "今はどなたもご案内していません。順番はそのままで、再開しだいご案内します。",
      pausedTaking: "今はどなたもご案内していません。まもなく番号が出ます。",
      called: "あなたの番です",
      calledLead: "{span}以内にお入りください。",
      calledLeadBy: "{time}までお待ちしています。",
      entering: "どうぞお入りください",
      enteringLead: "ページを開いています。",
      elsewhere: "別のタブでご案内しています",
      elsewhereLead: "別のタブで入場しています。このページは閉じてかまいません。",
      ended: "この整理券は終了しました",
      endedLead:
        "{number}番は列から外れました。入場済み、期限切れ、またはお呼び出しに応答がなかったためです。",
      givenUp: "順番を取り消しました",
      givenUpLead: "{number}番は列から外れ、後ろの方が前に進みます。",
      closed: "受付は終了しました",
      closedKept: "{number}番はそのまま有効です。{span}以内に再開すれば、続けられます。",
      cookies: "Cookieを有効にしてください",
      cookiesLead: "整理券はまだ出ていません。Cookieを許可して、もう一度お試しください。",
      formLost: "フォームは未送信です。入場後にもう一度送信してください。",
      missed:
        "{time}までにお入りになりませんでした。番号{number}はそのままで、もう一度お呼びします。",
      offline: "オフラインです。接続が戻ると自動で再開します。",
      lost: "接続が途切れました。自動で再接続しています。",
      keptUntil: "順番は{time}まで確保されています。",
      busy: "ただいま大変混み合っています。自動でもう一度試します。",
      lineFull: "ただいま列がいっぱいです。自動でもう一度試します。",
      tooManyJoins: "同じ回線からの発券が集中しています。自動でもう一度試します。",
      takeNew: "新しい整理券を取る",
      checkAgain: "もう一度確認する",
      tryAgain: "もう一度試す",
      giveUpAsk: "{number}番を取り消しますか。取り消すと、列の最後からになります。",
      saidTicket: "あなたの番号は{number}番です。",
      saidAhead: { other: "前に{n}人お待ちです。" },
      saidWait: "待ち時間の目安は{wait}です。",
      saidBack: "接続が戻りました。",
    },
    server: {
      ahead: "前にお待ちの方",
      wait: "待ち時間の目安",
      among: "抽選をお待ちの方",
      waitDrawn: "抽選で決まります",
      number: "整理券番号",
      you: "あなた",
      line: "列のようす",
      goIn: "入場する",
      message: "{name}からのお知らせ",
      holds: "お約束",
      holdsReturn: "このページは閉じてもかまいません。この時間内に戻れば、順番はそのままです。",
      holdsClaim: "お呼びしてから、この時間内にお入りください。",
      holdsSession: "入場後、操作がないままでいられる時間です。",
      sound: "順番を音で知らせる",
      notify: "順番を通知で知らせる",
      takeIn: "ほかを見ていても入場する",
      takeInHint: "ご不在でも入場が始まり、操作がないまま{session}たつと番号も無効になります。",
      giveUp: "順番を取り消す",
      giveUpYes: "取り消す",
      giveUpNo: "このまま待つ",
      reference: "照会番号 {reference}",
      scriptless:
        "スクリプトが無効のため、{span}ごとにこのページを読み込み直します。取り消すには、ページを閉じるだけで結構です。",
      reloads:
        "このページは{span}後に自動でもう一度確認します。取り消すには、ページを閉じるだけで結構です。",
      scriptlessTaking: "次に読み込まれたときに、整理券が出ます。",
      proof: "番号の前に、ロボットが番号を取り尽くさないための短い確認があります。自動で進みます。",
      checkNow: "今すぐ確認する",
    },
    lost: {
      at: "{time}に",
      ago: "{span}前に",
      inactive: "{span}のあいだ操作がなかったため、ご利用は{when}終了しました。",
      inactiveSometime: "操作がなかったため、ご利用は{when}終了しました。",
      timeUp: "ご利用時間の上限（{span}）に達したため、ご利用は{when}終了しました。",
      finished: "ご利用は{when}終了しました。ご自身またはサイト側で終了の操作がありました。",
      revoked: "サイトの運営者により、すべての方のご利用が{when}終了されました。",
      unconfirmed:
        "ほかの方がお待ちで、{span}以内にお使いのブラウザーから応答がなかったため、ご利用は{when}終了しました。",
      unknown: "ご利用はすでに終了しています。{when}延長されたのが最後でした。",
    },
    event: {
      early: "まだ開場していません",
      earlyLead: "開場すると、番号順にお呼びします。",
      earlyLeadDrawn:
        "開場すると、抽選で順番が決まります。それまでに整理券をお取りになった方は、早く来ても遅く来ても同じ確率です。",
      opensIn: "開場まで",
      saidOpens: "開場まで{span}です。",
      drawing: "順番を抽選しています",
      drawingLead:
        "開場の時点でお待ちだった方は、全員同じ確率です。順番が決まりしだい、ここに表示します。",
      drawn:
        "開場の時点でお待ちだった方の順番は、抽選で決まりました。公正に行われたことを、どなたでも確かめられます。",
      check: "抽選を確かめる",
    },
    error: {
      reference: "照会番号",
      tell: "サイトにお問い合わせの際は、この番号をお伝えください。",
      again: "もう一度試す",
      back: "前のページに戻る",
      front: "トップページへ",
      byItself: "このページは{span}後に自動でもう一度試します。",
      full: "ただいま満員です",
      fullDetail:
        "定員に達しており、順番待ちは行っていません。しばらくしてからもう一度お試しください。",
      originUnreachable: "サイトから応答がありません",
      originUnreachableDetail:
        "送信された内容は届いていません。少し待ってからもう一度お試しください。",
      originLost: "サイトから返事がありませんでした",
      originLostDetail: "ご依頼の操作が行われたかどうかわかりません。繰り返す前にご確認ください。",
      originTimeout: "サイトの応答に時間がかかりすぎました",
      originTimeoutDetail: "ご依頼の操作は行われた可能性があります。繰り返す前にご確認ください。",
      paced: "少しお待ちください",
      pacedDetail: "サイトはいま、これ以上のリクエストを受け付けられません。ご利用は続いています。",
      notReady: "少しお待ちください",
      notReadyDetail: "このサイトの待合室を準備しています。",
      internal: "問題が発生しました",
      internalDetail: "もう一度お試しください。続く場合は、照会番号をサイトにお伝えください。",
      ambiguousUrl: "このアドレスは正しく解釈できません",
      ambiguousUrlDetail: "アドレスをお確かめになるか、トップページからお進みください。",
      unknownHost: "このサイトはここでは提供されていません",
      unknownHostDetail:
        "サイトの運営者は、このホストをルームのルートまたは PASS_HOSTS に指定できます。前段のプロキシは訪問者の Host を転送する必要があります（nginx: proxy_set_header Host $http_host）。",
      ambiguousHost: "この名前ではサイトを提供していません",
      ambiguousHostDetail:
        "サイトの運営者は、該当するルームのルートにこのホストを指定できます。前段のプロキシは訪問者の Host を転送する必要があります（nginx: proxy_set_header Host $http_host）。",
      roomNotFound: "この待合室はありません",
      roomNotFoundDetail: "アドレスをお確かめになるか、トップページからお進みください。",
      notFound: "ここには何もありません",
      notFoundDetail: "アドレスをお確かめになるか、トップページからお進みください。",
    },
  },
};
