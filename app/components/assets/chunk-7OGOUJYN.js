import{F as o,t as n,u as l}from"./chunk-AE2JKPEI.js";function u({element:e}){let t=l(null);return n(()=>t.current?.replaceChildren(e),[e]),o("div",{class:"mounted",ref:t})}export{u as a};
