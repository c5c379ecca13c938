// Loads parts of the page again when the network has lost them, and the whole page after an upgrade of the server, or where the browser
// keeps a failed module.

const waitsMs = [400, 1200, 3000]
const longWaitMs = 30_000
const reloadKey = 'reloadedFor'
/** A server that takes a request and never answers must not hold back the next attempt. */
const answerWithinMs = 5_000
/** A slow line may still bring the page, which then hides the words. */
const patienceMs = 10_000
/** Firefox before 155 keeps a failed module until the page is loaded again: until then each attempt fails at once. */
let isKept = false

/** The build wraps every `import()` of the web client in it. Rejects after the last attempt. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const waitMs of waitsMs) {
    let isAtOnce = true
    setTimeout(() => (isAtOnce = false))
    try {
      return await load()
    } catch {
      isKept ||= isAtOnce
      await reloadOnce()
      await pause(waitMs)
    }
  }
  return load()
}

/** As `loadPart`, for what the page can do without: it goes on until `isOver`. */
export async function loadInTime<Part>(load: () => Promise<Part>, isOver: () => boolean): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (isOver()) throw error
      await pause(longWaitMs)
    }
  }
}

/** Reloads the page if only that helps a person who wants it; never over typed text. */
export async function reloadIfNeeded(): Promise<void> {
  if ((await neededBuild()) === undefined || holdsInput()) return
  location.reload()
  await forever
}

/** Shows the words if the page is still empty after a while. */
export function watchRoot(): void {
  setTimeout(() => {
    if (document.getElementById('root')?.firstChild === null) showLoadFailure(() => location.reload())
  }, patienceMs)
}

/** Shows the words that every page carries for this. Its button works without scripts as well, and then loads the page again. */
export function showLoadFailure(retry: () => void): void {
  const failure = document.getElementById('load-failure')
  if (failure === null) return
  failure.hidden = false
  // Once the page is here, nothing may load it again.
  const stop = new AbortController()
  const { signal } = stop
  const again = ({ type }: Event) => {
    stop.abort()
    failure.hidden = true
    watchRoot()
    void (type === 'online' ? reloadOnce() : reloadIfNeeded()).then(retry)
  }
  const onClick = (event: Event) => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    event.preventDefault()
    again(event)
  }
  failure.addEventListener('hide', () => stop.abort(), { signal })
  failure.addEventListener('click', onClick, { signal })
  addEventListener('online', again, { signal })
}

export function hideLoadFailure(): void {
  const failure = document.getElementById('load-failure')
  if (failure === null) return
  failure.hidden = true
  failure.dispatchEvent(new Event('hide'))
}

const forever = new Promise<never>(() => undefined)

/** web/rescue.ts marks the fields. */
function holdsInput(): boolean {
  return [...document.querySelectorAll<HTMLInputElement>('[data-typed]')].some(({ value }) => value !== '')
}

/** By itself only once for each build, and never over typed text or a dialog; a toast is no dialog. */
async function reloadOnce(): Promise<void> {
  const build = await neededBuild()
  if (build === undefined || holdsInput() || document.querySelector('[role$=dialog]:not([aria-modal])') !== null) return
  try {
    // oxlint-disable-next-line eslint/no-restricted-globals -- lib/browser-storage.ts would triple what every page carries inline.
    const earlier = sessionStorage.getItem(reloadKey) ?? ''
    // All of them: while two builds are served, a page of one would send the browser to the other and back.
    if (earlier.includes(build)) return
    // oxlint-disable-next-line eslint/no-restricted-globals
    sessionStorage.setItem(reloadKey, `${earlier} ${build}`)
  } catch {
    // Without storage a second reload could not be told from the first.
    return
  }
  location.reload()
  await forever
}

/** The server's build if a reload would help. */
async function neededBuild(): Promise<string | undefined> {
  const own = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content
  try {
    const answer = fetch(location.pathname, { cache: 'no-store' }).then((page) => page.text())
    const page = await Promise.race([answer, pause(answerWithinMs).then(() => '')])
    const build = /<meta name="build" content="([^"]+)"/.exec(page)?.[1]
    return build === own && !isKept ? undefined : build
  } catch {
    return undefined
  }
}

function pause(waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, waitMs)
    addEventListener('online', go)
  })
}
