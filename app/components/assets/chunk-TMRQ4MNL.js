import{G as o,u as n,v as l}from"./chunk-FCOKBX7Z.js";function u({element:e}){let t=l(null);return n(()=>t.current?.replaceChildren(e),[e]),o("div",{class:"mounted",ref:t})}export{u as a};
