// SPDX-License-Identifier: MIT
// Style and search of the pages that `softwave isa --html` writes.
#ifndef CLI_ISA_HTML_STYLE_H
#define CLI_ISA_HTML_STYLE_H

static const char isa_css[] =
    ":root{--bg:#fff;--fg:#1b1f24;--soft:#57606a;--line:#d0d7de;--box:#f6f8fa;--link:#0550ae;--op:#ddf4ff;--"
    "fix:#eaeef2}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--soft:#9198a1;--line:#3d444d;--box:#"
    "161b22;"
    "--link:#79b8ff;--op:#12324d;--fix:#262c36}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:62rem;padding:0 1rem "
    "4rem;background:var(--bg);color:var(--fg);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
    "a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}nav{padding:1rem "
    "0;border-bottom:1px solid var(--line);"
    "display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}h1{font-size:1.7rem;margin:1.2rem 0 "
    ".4rem}h2{font-size:1.15rem;margin:1.8rem 0 .5rem}\n"
    ".say{font-size:1.1rem;margin:.4rem 0 "
    "1rem}.soft{color:var(--soft)}code,pre,.f{font-family:ui-monospace,monospace}"
    "pre{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.8rem "
    "1rem;white-space:pre-wrap;line-height:1.45;font-size:.95rem}\n"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.25rem .8rem "
    ".25rem 0;border-bottom:1px solid var(--line)}\n"
    ".word{display:flex;flex-wrap:wrap;margin:.4rem 0}.b{flex:var(--w) 1 auto;min-width:1.6rem;padding:.1rem "
    ".35rem;margin:0 -1px -1px 0;"
    "border:1px solid "
    "var(--line);text-align:center;background:var(--bg);font-family:ui-monospace,monospace;font-size:.85rem}"
    ".b "
    "small{display:block;color:var(--soft);font-size:.7rem}.b.o{background:var(--op)}.b.x{background:var(--"
    "fix)}\n"
    "input{width:100%;font:inherit;padding:.6rem .8rem;border:1px solid "
    "var(--line);border-radius:6px;background:var(--box);color:var(--fg)}"
    "#found{list-style:none;padding:0}#found li{padding:.2rem "
    "0}.names{columns:15rem;column-gap:1.5rem;font-family:ui-monospace,monospace;font-size:.9rem}"
    ".names a{display:block}.names a{padding:.05rem 0}\n"
    "td:first-child{min-width:9rem}@media(max-width:40rem){table.list td{display:block;border:0;padding:0}"
    "table.list td:last-child{border-bottom:1px solid var(--line);padding-bottom:.4rem;margin-bottom:.4rem}"
    "td:first-child{min-width:0}.names{columns:1}}\n";

static const char isa_script[] =
    "const box=document.getElementById('q'),list=document.getElementById('found');\n"
    "function show(){const "
    "words=box.value.toLowerCase().split(/\\s+/).filter(w=>w);list.textContent='';if(!words.length)return;\n"
    "const hits=[];for(const [names,page,text] of pages){const low=(names+' "
    "'+text).toLowerCase();if(!words.every(w=>low.includes(w)))continue;\n"
    "const n=names.toLowerCase().split(' "
    "');hits.push([n.includes(words[0])?0:n.some(x=>x.startsWith(words[0]))?1:n.some(x=>x.includes(words[0]))"
    "?2:3,names,page,text]);}\n"
    "hits.sort((a,b)=>a[0]-b[0]||(a[1]<b[1]?-1:1));for(const h of hits.slice(0,60)){const "
    "li=document.createElement('li'),a=document.createElement('a');\n"
    "a.href=h[2];a.textContent=h[1].split(' ')[0];a.className='f';li.append(a,' ',h[3]);list.append(li);}\n"
    "const li=document.createElement('li');li.className='soft';li.textContent=hits.length>60?'and "
    "'+(hits.length-60)+' more':hits.length?'':'nothing found';list.append(li);}\n"
    "box.addEventListener('input',show);show();\n";

#endif
