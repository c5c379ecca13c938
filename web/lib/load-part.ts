// Loads parts of the page again when the network has lost them, and the whole page after an upgrade of the server.

const waitsMs = [400, 1200, 3000]
const longWaitMs = 30_000
const reloadKey = 'reloadedFor'

/** The build wraps every `import()` of the web client in it. Rejects after the last attempt. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const waitMs of waitsMs) {
    try {
      return await load()
    } catch {
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

/** Reloads the page if the server has a newer build, whose files have other names. */
export async function reloadIfOutdated(): Promise<void> {
  if ((await newerBuild()) === undefined) return
  location.reload()
  await forever
}

/** Shows the words that every page carries for this. Its button works without scripts as well, and then loads the page again. */
export function showLoadFailure(retry: () => void): void {
  const failure = document.getElementById('load-failure')
  if (failure === null) return
  failure.hidden = false
  const again = () => {
    stop()
    hideLoadFailure()
    void reloadIfOutdated().then(retry)
  }
  const onClick = (event: Event) => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    event.preventDefault()
    again()
  }
  const stop = () => {
    failure.removeEventListener('click', onClick)
    removeEventListener('online', again)
  }
  failure.addEventListener('click', onClick)
  addEventListener('online', again)
}

export function hideLoadFailure(): void {
  const failure = document.getElementById('load-failure')
  if (failure !== null) failure.hidden = true
}

const forever = new Promise<never>(() => undefined)

let typedIn: EventTarget | null = null
// The build renders pages without a document.
if (typeof document !== 'undefined') addEventListener('input', ({ target }) => (typedIn = target), true)

function holdsInput(): boolean {
  return typedIn instanceof HTMLElement && typedIn.isConnected && 'value' in typedIn && typedIn.value !== ''
}

/** By itself only once for each build, and never over what somebody types. */
async function reloadOnce(): Promise<void> {
  const build = await newerBuild()
  if (build === undefined || holdsInput()) return
  try {
    // oxlint-disable-next-line eslint/no-restricted-globals -- lib/storage.ts would triple what every page carries inline.
    if (sessionStorage.getItem(reloadKey) === build) return
    // oxlint-disable-next-line eslint/no-restricted-globals
    sessionStorage.setItem(reloadKey, build)
  } catch {
    // Without storage a second reload could not be told from the first.
    return
  }
  location.reload()
  await forever
}

/** The server's build if it is another one than the page's. */
async function newerBuild(): Promise<string | undefined> {
  const own = document.querySelector<HTMLMetaElement>('meta[name=build]')?.content
  if (own === undefined) return undefined
  try {
    const page = await (await fetch(location.pathname, { cache: 'no-store' })).text()
    const build = /<meta name="build" content="([^"]+)"/.exec(page)?.[1]
    return build === own ? undefined : build
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
