// Inlined into every page by the build, before all other scripts: loads entry and styles again, and shows words in place of a page that
// does not come.
import { loadPart, showLoadFailure, watchRoot } from '#web/lib/load-part.ts'

// Before any schema is made: zod would try `Function("")` to see whether it may compile them, which the page's policy reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && target.type === 'module') rescueScript(target.src)
    else if (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && target.dataset['again'] === undefined) rescueStyles(target)
  },
  true,
)

watchRoot()

// So that no reload loses it. A choice is made again at once.
addEventListener(
  'input',
  ({ target }) => {
    if (target instanceof HTMLElement && !target.matches('[type=radio], [type=checkbox]')) target.dataset['typed'] = ''
  },
  true,
)

// What a visitor does before web/start.ts is here is marked for it. A form that the browser sends itself would lose what was typed.
addEventListener('submit', (event) => markEarly(event, 'form')?.preventDefault(), true)
addEventListener('click', (event) => markEarly(event, 'button[type=button]'), true)

function markEarly(event: Event, control: string): Event | undefined {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>(`[data-island] ${control}`) : null
  if (element === null) return undefined
  document.querySelector('[data-early]')?.removeAttribute('data-early')
  element.dataset['early'] = ''
  return event
}

/** The same address is requested again, and with it what it imports. */
function rescueScript(src: string): void {
  loadPart(() => import(/* @vite-ignore */ src) as Promise<unknown>).catch(() => showLoadFailure(() => rescueScript(src)))
}

function rescueStyles(link: HTMLLinkElement): void {
  const load = () =>
    new Promise((resolve, reject) => {
      const next = link.cloneNode() as HTMLLinkElement
      next.dataset['again'] = ''
      next.addEventListener('load', resolve)
      next.addEventListener('error', reject)
      link.after(next)
    })
  // Without styles the page stays readable.
  loadPart(load).catch(() => undefined)
}
