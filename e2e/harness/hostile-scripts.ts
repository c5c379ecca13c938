// What hostile browsers do to a page; each function runs in the page before its own scripts.

/** As Chrome's translation does: each text moves into elements of its own, again after each change. */
export function translate(): void {
  const isLeft = (node: Node) => node.parentElement?.closest('script, style, textarea, font, [translate=no], .notranslate') !== null
  const wrap = (text: Text) => {
    if (text.data.trim() === '' || isLeft(text)) return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
  const wrapAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node as Text)
    for (const text of texts) wrap(text)
  }
  const start = () => {
    document.documentElement.classList.add('translated-ltr')
    wrapAll(document.body)
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target instanceof Text) wrap(target)
        for (const node of addedNodes)
          if (node instanceof Text) wrap(node)
          else wrapAll(node)
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
  else start()
}

/** As with blocked site data: access itself throws. */
export function blockStorage(): void {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, {
      configurable: true,
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
}

/** The device's clock is wrong by this much. */
export function shiftClock(byMs: number): void {
  const Real = Date
  class Shifted extends Real {
    constructor(...values: [] | [number | string | Date] | [number, number]) {
      if (values.length === 0) super(Real.now() + byMs)
      else super(...(values as [number]))
    }
    static override now = () => Real.now() + byMs
  }
  Object.assign(globalThis, { Date: Shifted })
  const temporal = (globalThis as { Temporal?: typeof Temporal }).Temporal
  if (temporal === undefined) return
  const instant = temporal.Now.instant.bind(temporal.Now)
  Object.assign(temporal.Now, {
    instant: () => instant().add({ milliseconds: byMs }),
    zonedDateTimeISO: (zone: string) => instant().add({ milliseconds: byMs }).toZonedDateTimeISO(zone),
  })
}

/** As in an app's browser: no pop-ups, no other apps, and few interfaces. */
export function withoutPopUps(): void {
  window.open = () => null
  for (const [owner, name] of [
    [window, 'Notification'],
    [window, 'PublicKeyCredential'],
    [Navigator.prototype, 'clipboard'],
    [Navigator.prototype, 'share'],
  ] as const)
    Reflect.deleteProperty(owner, name)
  // Links to other apps and to new windows do nothing.
  addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link !== null && (link.target === '_blank' || !/^(https?|blob|data):$/.test(link.protocol))) event.preventDefault()
    },
    true,
  )
}

/** As password managers, spelling checkers and blockers do: nodes and attributes everywhere, before and after the page has started. */
export function extension(): void {
  const mark = () => {
    document.documentElement.setAttribute('data-extension-installed', '')
    document.body.setAttribute('cz-shortcut-listen', 'true')
    if (document.querySelector('extension-root') === null) {
      document.body.prepend(document.createElement('extension-root'))
      document.body.append(document.createElement('extension-root'))
    }
    for (const field of document.querySelectorAll('input, textarea')) {
      if (field.hasAttribute('data-lastpass')) continue
      field.setAttribute('data-lastpass', 'true')
      ;(field as HTMLElement).style.backgroundRepeat = 'no-repeat'
      const icon = document.createElement('extension-icon')
      icon.style.position = 'absolute'
      field.after(icon)
    }
  }
  const start = () => {
    mark()
    new MutationObserver(mark).observe(document.body, { subtree: true, childList: true })
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
  else start()
}

/** As a browser that keeps a left page and shows it again: its connections are closed, its scripts and fields stay. */
export function backForwardCache(): void {
  const sockets: WebSocket[] = []
  const Real = window.WebSocket
  window.WebSocket = class extends Real {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      sockets.push(this)
    }
  }
  addEventListener('e2e:leave-and-return', () => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    for (const socket of sockets.splice(0)) socket.close()
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
}
