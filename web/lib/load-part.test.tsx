// Parts that the network has lost come again, and an upgraded page is loaded once more.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '#web/rescue.ts'

type Module = typeof import('./load-part.ts')
let { hideLoadFailure, loadInTime, loadPart, reloadIfNeeded, showLoadFailure } = {} as Module

const lost = new TypeError('Failed to fetch dynamically imported module')
let attempts = 0
let reloads = 0

/** Comes at the attempt with this number. */
const partAt = (attempt: number) => async () => {
  attempts += 1
  if (attempts === attempt) return 'part'
  // As a request does.
  await new Promise((resolve) => setTimeout(resolve, 2))
  throw lost
}

/** As in a browser that keeps a failed module. */
const keptPart = () => {
  attempts += 1
  return Promise.reject(lost)
}

function type(text: string, field = document.getElementById('typed') as HTMLInputElement): void {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

function serve(build: string): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(`<head><meta name="build" content="${build}"></head>`)))
}

beforeEach(async () => {
  vi.resetModules()
  ;({ hideLoadFailure, loadInTime, loadPart, reloadIfNeeded, showLoadFailure } = await import('./load-part.ts'))
  attempts = 0
  reloads = 0
  vi.useFakeTimers()
  vi.stubGlobal('location', { pathname: '/', reload: () => (reloads += 1) })
  document.head.insertAdjacentHTML('beforeend', '<meta name="build" content="one">')
  document.body.insertAdjacentHTML('beforeend', '<div id="load-failure" hidden><a href="">Retry</a></div><input id="typed">')
  serve('one')
})
afterEach(() => {
  document.querySelector('meta[name=build]')?.remove()
  document.getElementById('load-failure')?.remove()
  document.getElementById('typed')?.remove()
  sessionStorage.clear()
})

test.each([1, 2, 4])('a part that comes at attempt %d is here', async (attempt) => {
  const part = loadPart(partAt(attempt))
  await vi.runAllTimersAsync()
  expect(await part).toBe('part')
  expect([attempts, reloads]).toEqual([attempt, 0])
})

test('after four attempts the error is that of the last one', async () => {
  const outcome = loadPart(partAt(5)).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(lost)
  expect(attempts).toBe(4)
})

test('the next attempt does not wait when the browser is online again', async () => {
  const part = loadPart(partAt(2))
  await vi.advanceTimersByTimeAsync(2)
  expect(attempts).toBe(1)
  window.dispatchEvent(new Event('online'))
  expect(await part).toBe('part')
})

test('what the page can do without is asked for until it comes, or nobody wants it', async () => {
  const part = loadInTime(partAt(3), () => false)
  await vi.runAllTimersAsync()
  expect(await part).toBe('part')
  const outcome = loadInTime(partAt(0), () => true).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(lost)
})

test('after an upgrade the page is loaded again, once for each build', async () => {
  serve('two')
  void loadPart(partAt(0))
  await vi.advanceTimersByTimeAsync(2)
  expect([attempts, reloads]).toEqual([1, 1])
  const outcome = loadPart(partAt(0)).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(lost)
  expect(reloads).toBe(1)
  serve('three')
  void loadPart(partAt(0))
  await vi.advanceTimersByTimeAsync(2)
  expect(reloads).toBe(2)
})

test('two builds that are served side by side do not send the page to and fro', async () => {
  const own = document.querySelector<HTMLMetaElement>('meta[name=build]') as HTMLMetaElement
  for (const [page, other] of [
    ['one', 'two'],
    ['two', 'one'],
    ['one', 'two'],
    ['two', 'one'],
  ] as const) {
    own.content = page
    serve(other)
    loadPart(partAt(0)).catch(() => undefined)
    await vi.runAllTimersAsync()
  }
  expect(reloads).toBe(2)
})

test('a server that never answers does not hold back the next attempt', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const part = loadPart(partAt(2))
  await vi.runAllTimersAsync()
  expect(attempts).toBe(2)
  expect(await part).toBe('part')
})

test('the words come back if the page stays empty after they were pressed', async () => {
  const failure = document.getElementById('load-failure') as HTMLElement
  document.body.insertAdjacentHTML('beforeend', '<div id="root"></div>')
  showLoadFailure(() => undefined)
  failure.querySelector('a')?.click()
  expect(failure.hidden).toBe(true)
  await vi.runAllTimersAsync()
  expect(failure.hidden).toBe(false)
  document.getElementById('root')?.remove()
  hideLoadFailure()
})

test('a page that came late is not loaded again when the browser is online again', async () => {
  let retries = 0
  showLoadFailure(() => (retries += 1))
  hideLoadFailure()
  serve('two')
  window.dispatchEvent(new Event('online'))
  await vi.runAllTimersAsync()
  expect([retries, reloads]).toEqual([0, 0])
})

test('a page whose browser keeps a failed module is loaded again, once', async () => {
  const outcome = loadPart(keptPart).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(0)
  expect([attempts, reloads]).toEqual([1, 1])
  const again = loadPart(keptPart).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await again).toBe(lost)
  expect(reloads).toBe(1)
  void outcome
})

test('it is not loaded again while the server does not answer, nor for Retry', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const outcome = loadPart(keptPart).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(lost)
  await reloadIfNeeded()
  expect(reloads).toBe(0)
  serve('one')
  void reloadIfNeeded()
  await vi.advanceTimersByTimeAsync(0)
  expect(reloads).toBe(1)
})

test('Retry does not load the page again where the next attempt can bring the part', async () => {
  const outcome = loadPart(partAt(0)).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(lost)
  await reloadIfNeeded()
  expect(reloads).toBe(0)
})

const losses = {
  'of an upgraded page': () => partAt(0),
  'that the browser keeps': () => {
    serve('one')
    return keptPart
  },
}
const works: Readonly<Record<string, () => void>> = {
  'typed text': () => type('asha@example.in'),
  'typed text in a field that was left for another one': () => {
    type('asha@example.in')
    document.body.insertAdjacentHTML('beforeend', '<input id="other">')
    type('', document.getElementById('other') as HTMLInputElement)
  },
  'an open dialog': () => document.body.insertAdjacentHTML('beforeend', '<div id="other" role="alertdialog"></div>'),
}

describe.each(Object.entries(losses))('a part %s', (_, lose) => {
  beforeEach(() => serve('two'))
  afterEach(() => document.getElementById('other')?.remove())

  test.each(Object.entries(works))('leaves %s alone, also when the browser is online again', async (_name, work) => {
    const load = lose()
    work()
    const outcome = loadPart(load).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    expect(await outcome).toBe(lost)
    let retries = 0
    showLoadFailure(() => (retries += 1))
    window.dispatchEvent(new Event('online'))
    await vi.runAllTimersAsync()
    expect([retries, reloads]).toEqual([1, 0])
  })

  test('leaves typed text alone at Retry, but not an empty dialog', async () => {
    const load = lose()
    type('asha@example.in')
    loadPart(load).catch(() => undefined)
    await vi.runAllTimersAsync()
    await reloadIfNeeded()
    expect(reloads).toBe(0)
    type('')
    document.body.insertAdjacentHTML('beforeend', '<div id="other" role="dialog"></div>')
    void reloadIfNeeded()
    await vi.advanceTimersByTimeAsync(0)
    expect(reloads).toBe(1)
  })

  test('does not care about a choice, a cleared field or a toast', async () => {
    const load = lose()
    type('asha@example.in')
    type('')
    document.body.insertAdjacentHTML('beforeend', '<div id="other" role="dialog" aria-modal="false"><input type="radio" value="5m"></div>')
    type('5m', document.querySelector('#other input') as HTMLInputElement)
    void loadPart(load)
    await vi.advanceTimersByTimeAsync(2)
    expect(reloads).toBe(1)
  })
})

test('without storage or without a server there is no reload', async () => {
  const check = async () => {
    const outcome = loadPart(partAt(0)).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    await outcome
    return reloads
  }
  serve('two')
  vi.stubGlobal('sessionStorage', undefined)
  expect(await check()).toBe(0)
  vi.unstubAllGlobals()
  vi.stubGlobal('location', { pathname: '/', reload: () => (reloads += 1) })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect(await check()).toBe(0)
})

test('the words offer to try again, by a click or when the browser is online', async () => {
  const failure = document.getElementById('load-failure') as HTMLElement
  let retries = 0
  for (const act of [() => failure.querySelector('a')?.click(), () => window.dispatchEvent(new Event('online'))]) {
    showLoadFailure(() => (retries += 1))
    expect(failure.hidden).toBe(false)
    act()
    expect(failure.hidden).toBe(true)
    // Only once for each failure.
    window.dispatchEvent(new Event('online'))
    await vi.runAllTimersAsync()
  }
  expect([retries, reloads]).toEqual([2, 0])
  showLoadFailure(() => (retries += 1))
  serve('two')
  window.dispatchEvent(new Event('online'))
  await vi.runAllTimersAsync()
  expect([retries, reloads]).toEqual([2, 1])
})
