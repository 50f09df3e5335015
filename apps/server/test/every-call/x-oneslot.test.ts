import { FLAGS } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import { addStepUp } from '../../src/features/session/step-up.queries.ts'
import { makeCampaign, makeMessagingWorld, makePatients, makeTemplate } from '../messaging.ts'
import { asOwner, makeLogin, signIn } from '../people.ts'
import { startTestServer } from '../server.ts'
import { bodyFor, inputSchema, placeOf } from './every-call-values.ts'
let server: any, world: any, tab: any, ids: any, login: any
beforeAll(async () => { server = await startTestServer(); world = await makeMessagingWorld(server)
 const [l] = world.locations; const t = await makeTemplate(server, world.company.id, { name: 't', body: 'x {Pharmacy Name}' })
 const c = await makeCampaign(server, world.company.id, { locationIds: [l.id], templateIds: [t.id], name: 'c' }); await makePatients(server, l.id, 2)
 const other = await makeLogin(server, world.company.id, {})
 ids = { template: t.uuid, campaign: c.uuid, company: world.company.uuid, location: l.uuid, user: other.uuid }
 login = await makeLogin(server, world.company.id, { flags: FLAGS }); tab = await signIn(server, login) })
afterAll(() => server.close())
const strings=['9'.repeat(300),'2147483648','9223372036854775808','0','0000','9999','-1','‮evil','a'.repeat(200),'a'.repeat(20000),'%'.repeat(100),'\\'.repeat(99),'((','\n\n',"'\"$$",'{{x}}','{Pharmacy Name}','<script>','０１','a@b.c','9999-12-31','0001-01-01','2026-12-31','2026-02-30','https://x.example/a','+61400000000','é\u0301','toString','__proto__','constructor','1000-01-01','\ue000']
const nums=[0,-1,1.5,2**31,2**53,1e308,5e-324,99999,275760,0.00001,100,101]
const others:any[]=[null,true,[],{},{toString:1},['a'],Array(2000).fill('x')]
function slots(s:any,p:string[]=[]):{p:string[],s:any}[]{ const out=[{p,s}]; for(const [k,v] of Object.entries(s.properties??{})) out.push(...slots(v,[...p,k])); if(s.items) out.push(...slots(s.items,[...p,'*'])); for(const a of s.anyOf??[]) out.push(...slots(a,p)); return out }
function put(t:any,[k,...r]:string[],v:any):any{ if(k===undefined) return v; if(k==='*'){ const a=Array.isArray(t)&&t.length?[...t]:[{}]; a[0]=put(a[0],r,v); return a} const o=(typeof t==='object'&&t&&!Array.isArray(t))?{...t}:{}; Object.defineProperty(o,k,{value:put(o[k],r,v),enumerable:true,configurable:true,writable:true}); return o }
it('one slot', async () => {
 const bad=new Map<string,string>(); const stat=new Map<number,number>(); let n=0
 for (const { group, name, call } of everyCall as any) {
  if (call.kind!=='write'||call.body==='multipart'||['public','session-cookie','location-key','signed-in'].includes(call.needs)) continue
  const about = group.startsWith('template')?ids.template:group.startsWith('campaign')?ids.campaign:group.startsWith('user')?ids.user:(call.reach&&typeof call.reach==='object'&&'company' in call.reach)||group==='company'?ids.company:ids.location
  const base:any={...bodyFor(call,about) as any}
  if('company_id' in base) base.company_id=ids.company; if('location_id' in base) base.location_id=ids.location; if('login_id' in base) base.login_id=ids.user
  const seen=new Set<string>()
  for(const {p,s} of slots(inputSchema(call))){
   if(p.length===0) continue
   const key=p.join('.')+JSON.stringify(s.type??''); if(seen.has(key)) continue; seen.add(key)
   const vals=[...others,...((s.type==='string'||!s.type)?strings:['9'.repeat(300)]),...((/number|integer/.test(String(s.type))||!s.type)?nums:[1e308])]
   for(const v of vals){ const body=put(base,p,v); let path,object; try{ ({path,object}=placeOf(call,body)) }catch{continue}
    const headers:any={...tab.bearer}
    if(call.stepUp){ const input=call.input.safeParse(body); const action=typeof call.stepUp==='string'?call.stepUp:input.success?call.stepUp(input.data):'save'
     if(!input.success) continue
     const grant=await server.services.pools.system.transaction().execute((tx:any)=>addStepUp(tx,String(tab.reply.body.session_id),action,object,server.services.now())); headers['x-step-up-grant']=grant }
    const r=await server.call(path,body,headers,call.method??'POST'); n++; stat.set(r.status,(stat.get(r.status)??0)+1)
    if(r.status>=500){ const k=name+' '+p.join('.'); if(!bad.has(k)) bad.set(k,JSON.stringify(v)?.slice(0,80)+' '+JSON.stringify(r.body).slice(0,150)) }
    if(r.status===401) tab=await signIn(server,login)
    await asOwner(server,"update login set disabled_at=null, removed_at=null where removed_at is not null or disabled_at is not null").catch(()=>{})
    if(r.status===200) await asOwner(server,"update company set removed_at=null where removed_at is not null; update location set removed_at=null where removed_at is not null").catch(()=>{})
   } } }
 writeFileSync('/tmp/oneslot.txt', JSON.stringify([n,[...stat]])+'\n'+[...bad].map(([a,b])=>a+' '+b).join('\n'))
}, 1_500_000)
