import{G as o,t as n,u as l}from"./chunk-SJJ4OG4Q.js";function u({element:e}){let t=l(null);return n(()=>t.current?.replaceChildren(e),[e]),o("div",{class:"mounted",ref:t})}export{u as a};
