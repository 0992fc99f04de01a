/** The one script that runs before the first paint. Plain old JavaScript, because it is sent as it stands. */
import { panelStorageKey } from '@/components/workbench/panel-storage'

/** Puts the remembered widths and folds of the side areas on <html>. */
const panels = `try{var p=JSON.parse(localStorage.getItem('${panelStorageKey}')||'{}'),d=document.documentElement;['list','tree'].forEach(function(n){var s=p[n];if(!s)return;if(s.width>0)d.style.setProperty('--width-'+n,s.width+'px');if(s.folded)d.setAttribute('data-'+n,'folded')})}catch(e){}`

/** Hands the nonce to libraries that add a style element of their own (dialogs lock the page's scrolling with one). */
const nonce = `window.__webpack_nonce__=document.currentScript&&document.currentScript.nonce||undefined`

export const bootScript = `${panels};${nonce}`
