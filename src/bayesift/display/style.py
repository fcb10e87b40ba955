"""The style sheet of pages and notebooks, and the colours of charts, light and dark.

`--c1` to `--c8` colour the series of charts. `--for` and `--against` are colour triples: they shade words, bars and
cells by strength. Every rule is inside `.bayesift`, so that the sheet does not change a notebook around it.
"""

from __future__ import annotations

LIGHT = (
    "--ground:#fbfbf9;--card:#fff;--ink:#1c2430;--soft:#5c6675;--line:#e1e4e8;--for:31,95,174;--against:180,83,26;"
    "--shade:#0003;--c1:#1f5fae;--c2:#b4531a;--c3:#2e7d4f;--c4:#7a4fb5;--c5:#b0306a;--c6:#0f7b8a;--c7:#8a6d00;"
    "--c8:#5c6675"
)
DARK = (
    "--ground:#14181e;--card:#1b2028;--ink:#e6e9ee;--soft:#9aa5b4;--line:#2e3642;--for:96,160,240;--against:240,150,90;"
    "--shade:#fff4;--c1:#7db4f5;--c2:#f0a06a;--c3:#7ccf9d;--c4:#c3a5f0;--c5:#f08fbb;--c6:#6fcbd6;--c7:#dcc165;"
    "--c8:#9aa5b4"
)
COLOURS = tuple(f"var(--c{k})" for k in range(1, 9))
FONT = 'system-ui,-apple-system,"Segoe UI",sans-serif'
PICKS = 12  # labels of a document among which a reader can choose the one that colours the words


def colours(selector: str) -> str:
    """Return the rules that set the variables for a selector, dark where the reader prefers dark.

    >>> colours("svg").count("--ink")
    2
    """
    return f"{selector}{{{LIGHT}}}@media(prefers-color-scheme:dark){{{selector}{{{DARK}}}}}"


NOTEBOOKS = (  # a notebook's own theme comes before the system's
    f"[data-jp-theme-light=true] .bayesift,.vscode-light .bayesift{{{LIGHT}}}"
    f"[data-jp-theme-light=false] .bayesift,.vscode-dark .bayesift{{{DARK}}}"
)
RULES = """
.bayesift{background:var(--ground);color:var(--ink);font:16px/1.5 FONT;text-align:left;
&,*{box-sizing:border-box}
main{max-width:1080px;margin:0 auto;padding:1.5rem 1rem 4rem}
h1,h2,h3{color:inherit;font-weight:700;line-height:1.25;overflow-wrap:anywhere}
h1{font-size:1.6rem;margin:.5rem 0 .25rem}
h2{font-size:1.15rem;margin:2.2rem 0 .4rem}
h3{font-size:1rem;margin:0}
p{margin:.3rem 0 .8rem;max-width:70ch;overflow-wrap:anywhere}
ul,ol{padding-left:1.2rem;margin:.3rem 0}li{margin:.15rem 0;overflow-wrap:anywhere}
.soft,small,figcaption{color:var(--soft)}a{color:var(--c1)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:.7rem;margin:1rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem}
.card b{display:block;font-size:1.5rem;line-height:1.25;font-variant-numeric:tabular-nums}
.card span{font-size:.85rem;color:var(--soft)}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr));gap:1rem}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.8rem}
figure h3{margin-bottom:.2rem}figcaption{font-size:.85rem}
.chart{width:100%;height:auto;display:block}.charts .chart{max-width:450px}.chart text{font:12px FONT;fill:var(--soft)}
.scroll,.text{background:
linear-gradient(var(--card) 40%,transparent) top/100% 3rem no-repeat local,
linear-gradient(0deg,var(--card) 40%,transparent) bottom/100% 3rem no-repeat local,
linear-gradient(90deg,var(--card) 40%,transparent) left/3rem 100% no-repeat local,
linear-gradient(270deg,var(--card) 40%,transparent) right/3rem 100% no-repeat local,
linear-gradient(var(--shade),transparent) top/100% .8rem no-repeat scroll,
linear-gradient(0deg,var(--shade),transparent) bottom/100% .8rem no-repeat scroll,
linear-gradient(90deg,var(--shade),transparent) left/.8rem 100% no-repeat scroll,
linear-gradient(270deg,var(--shade),transparent) right/.8rem 100% no-repeat scroll,var(--card)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px}.tall{max-height:32rem;overflow-y:auto}
.count{font-size:.85rem;margin:.3rem 0 0}
table{border-collapse:collapse;border:0;width:100%;margin:0;font-size:.9rem;font-variant-numeric:tabular-nums;
color:inherit}
tbody tr,tbody tr:nth-child(odd),tbody tr:hover{background:none}
th,td{padding:.35rem .7rem;text-align:right;white-space:nowrap;border:0;border-bottom:1px solid var(--line)}
th{position:sticky;top:0;background:var(--card);color:var(--soft);font-weight:600;white-space:normal;
vertical-align:bottom;max-width:12rem;overflow:hidden;text-overflow:ellipsis}
th:first-child,td:first-child,.words{text-align:left}tr:last-child td{border-bottom:0}
td:first-child{max-width:22rem;overflow:hidden;text-overflow:ellipsis;position:sticky;left:0;background:var(--card)}
th:first-child{left:0;z-index:1}
td.words{white-space:normal;min-width:9rem;overflow-wrap:anywhere}
.sort th{cursor:pointer}
.heat{display:block;margin:-.35rem -.7rem;padding:.35rem .7rem;min-height:1.9em}
details,.doc{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:.7rem 0;padding:.7rem .9rem}
summary{cursor:pointer;overflow-wrap:anywhere}
.text{overflow-wrap:anywhere;max-height:16rem;overflow-y:auto;margin:.6rem 0;line-height:1.7;white-space:pre-line}
mark{--f:var(--f0,0);--g:var(--g0,0);color:inherit;border-radius:3px;padding:0 2px;
text-decoration:underline 2px;text-underline-offset:3px;
background:linear-gradient(rgba(var(--for),var(--f)),rgba(var(--for),var(--f))),
linear-gradient(rgba(var(--against),var(--g)),rgba(var(--against),var(--g)));
text-decoration-style:dotted;text-decoration-color:rgba(var(--against),calc(3*var(--g)))}
.labels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:.9rem 1.2rem}
.pick{display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.9rem;margin:.4rem 0;
label{max-width:100%;overflow-wrap:anywhere}}
.parts{border:0}.axis{text-align:left;width:40%;min-width:4rem}
.parts td.axis{background:linear-gradient(var(--line),var(--line)) 50%/1px 100% no-repeat}
span.bar{display:block;height:.7em;border-radius:2px}
.tag{display:inline-block;border:1px solid var(--line);border-radius:12px;padding:0 .55rem;font-size:.85rem;
margin:0 .2rem .2rem 0;max-width:100%;overflow-wrap:anywhere}
.miss{border-color:var(--c2);color:var(--c2)}.wrong{border-color:var(--c2);color:var(--c2);text-decoration:line-through}
.flow{list-style:none;padding:0;margin:1rem 0;max-width:60rem;
>li{display:grid;grid-template-columns:8rem 1fr 1fr;gap:.5rem 2rem;align-items:start;margin:0}
>li:not(:last-child)::after{content:"↓";content:"↓"/"";grid-column:2;justify-self:center;color:var(--soft);
line-height:1;padding-bottom:.5rem}
.phase{color:var(--soft);padding-top:.5rem;grid-row:1}
.box{grid-column:2;grid-row:1;background:var(--card);border:1px solid var(--soft);border-radius:6px;
padding:.5rem .8rem;overflow-wrap:anywhere;min-width:0}
.box.out{grid-column:3;grid-row:auto;border-style:dashed;position:relative}
.box ul{font-size:.9rem;color:var(--soft)}.n{white-space:nowrap}
.box.out::before{content:"→";content:"→"/"";position:absolute;left:-1.6rem;top:.5rem;color:var(--soft)}}
@media(max-width:640px){.flow>li{display:block}.flow .box{margin:.4rem 0}.flow .box.out{margin-left:2rem}
.flow>li:not(:last-child)::after{display:none}}
@media print{.tall{max-height:none}.count{display:none}th,td:first-child{position:static}
figure,.card,.flow>li,tr{break-inside:avoid}h2,h3{break-after:avoid}}
@media(max-width:480px){.parts th,.parts td:first-child{white-space:normal}
.parts th,.parts td{padding:.3rem .35rem}.axis{width:25%}
td:first-child{max-width:11rem}}
&.cell{padding:.8rem 1rem;border-radius:8px;max-width:60rem;font-size:14px;h1{font-size:1.15rem;margin:0 0 .3rem}
h2{font-size:1rem;margin:1rem 0 .3rem}.card b{font-size:1.2rem}.tall{max-height:22rem}}
PICKED}
body.bayesift{margin:0}
"""
PICKED = "".join(
    f'.doc:has(.pick input[value="{k}"]:checked) mark{{--f:var(--f{k},0);--g:var(--g{k},0)}}\n' for k in range(PICKS)
)
SHEET = colours(".bayesift") + NOTEBOOKS + RULES.replace("FONT", FONT).replace("PICKED", PICKED)
