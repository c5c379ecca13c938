// Entry of the prerendered pages: live countdowns, and the app as soon as a visitor touches a part that needs it.
import { demoCountdown } from '#web/features/landing/demo-countdown.ts'
import { showLoadFailure } from '#web/lib/load-part.ts'

/** Same key as in lib/browser-storage.ts, which would bring more code. */
const tokenKey = 'sessionToken'
const touches = ['pointermove', 'pointerdown', 'keydown', 'input', 'click', 'submit'] as const

let app: Promise<void> | undefined
/** What the visitor did last that only the app can do. */
let replay: (() => void) | undefined

function boot(): void {
  app ??= import('#web/app/open-app.tsx')
    .then(({ openApp }) => openApp())
    .then(
      () => {
        for (const type of touches) removeEventListener(type, onTouch, true)
        clearInterval(ticking)
        replay?.()
      },
      // Without a connection: the next touch tries again, and so does the button.
      () => {
        app = undefined
        showLoadFailure(boot)
      },
    )
}

function onTouch(event: Event): void {
  // A browser reports a pointer that rests where the page appears as one that has moved by nothing.
  if (event.type === 'pointermove' && (event as PointerEvent).movementX === 0 && (event as PointerEvent).movementY === 0) return
  const target = event.target instanceof Element ? event.target : undefined
  if (target === undefined || target.closest('[data-island]') === null) return
  if (event.type === 'submit') {
    // The browser would send the form itself.
    event.preventDefault()
    replay = repeat(target)
  } else if (event.type === 'click') {
    const control = target.closest<HTMLElement>('button[type="button"], a[href^="/"]:not([target])')
    const { button, ctrlKey, metaKey, shiftKey } = event as MouseEvent
    if (control !== null && button === 0 && !ctrlKey && !metaKey && !shiftKey) {
      // A link of the form takes along what was typed.
      event.preventDefault()
      replay = repeat(control)
    }
  }
  boot()
}

/** The app may have drawn the page again, so it acts on the element that is now in this place. */
function repeat(element: Element): () => void {
  const all = () => [...document.querySelectorAll<HTMLElement>(`[data-island] ${element.localName}`)]
  const place = all().indexOf(element as HTMLElement)
  return () => {
    const next = all()[place]
    if (next instanceof HTMLFormElement) next.requestSubmit()
    else next?.click()
  }
}

/** A session that is stored here, or begins in another tab, opens the app. */
function bootWithSession(): void {
  try {
    if (localStorage.getItem(tokenKey) !== null) boot()
  } catch {
    // Storage is blocked, so there is no session.
  }
}

function showCountdowns(): void {
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>('[data-countdown]'))
    element.textContent = demoCountdown(Number(element.dataset['countdown']), new Date())
}

/** On a phone the keyboard would cover half of the page at once. */
function focusForm(): void {
  if (matchMedia('(pointer: fine)').matches) document.querySelector<HTMLElement>('[data-island] form input')?.focus()
}

let ticking: ReturnType<typeof setInterval> | undefined

// Other pages load this file only as a part of others.
if (document.documentElement.dataset['prerendered'] !== undefined) {
  for (const type of touches) addEventListener(type, onTouch, true)
  addEventListener('storage', bootWithSession)
  addEventListener('pageshow', bootWithSession)
  bootWithSession()
  const early = document.querySelector('[data-early]')
  if (early !== null) {
    replay = repeat(early)
    boot()
  }
  ticking = setInterval(showCountdowns, 1000)
  const start = () => (showCountdowns(), focusForm())
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
  else start()
}
