import https from 'node:https'
import http from 'node:http'
import net from 'node:net'
const seen=[]
const proxy=http.createServer((q,s)=>{seen.push(q.method+' '+q.url);s.end('plain')})
proxy.on('connect',(q,s,head)=>{seen.push('CONNECT '+q.url+' '+(q.headers.host)); s.end('HTTP/1.1 403 no\r\n\r\n')})
await new Promise(r=>proxy.listen(0,'127.0.0.1',r))
const url='http://127.0.0.1:'+proxy.address().port
class A extends https.Agent{
  constructor(){super({keepAlive:false,maxSockets:4,proxyEnv:{HTTPS_PROXY:url}})}
  createConnection(o,cb){console.log('cc',o.host,o.servername,typeof cb); setTimeout(()=>super.createConnection({...o,host:'8.8.8.8',servername:'a.example'},cb),10)}
}
await new Promise(r=>https.get('https://a.example:444/x',{agent:new A(), lookup:()=>console.log('LOOKUP')},r).on('error',e=>{console.log(e.code,e.message);r()}))
console.log(seen)
http.setGlobalProxyFromEnv({HTTPS_PROXY:url,NO_PROXY:'b.example'})
for(const u of ['https://c.example/','https://b.example/','http://d.example/']) await fetch(u).catch(e=>console.log(u,e.cause?.message))
console.log(seen)
import {WebSocket} from 'ws'
