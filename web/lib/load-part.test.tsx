// Parts that the network has lost come again, and an upgraded page is loaded once more.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hideLoadFailure, loadInTime, loadPart, reloadIfOutdated, showLoadFailure } from './load-part.ts'

const lost = new TypeError('Failed to fetch dynamically imported module')
let attempts = 0
let reloads = 0

/** Comes at the attempt with this number. */
const partAt = (attempt: number) => () => {
  attempts += 1
  return attempts === attempt ? Promise.resolve('part') : Promise.reject(lost)
}

function serve(build: string): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(`<head><meta name="build" content="${build}"></head>`)))
}

beforeEach(() => {
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
  await vi.advanceTimersByTimeAsync(0)
  expect(attempts).toBe(1)
  window.dispatchEvent(new Event('online'))
  expect(await part).toBe('part')
})

test('what the page can do without is asked for until it comes, or nobody wants it', async () => {
  const part = loadInTime(partAt(3), () => false)
  await vi.runAllTimersAsync()
  expect(await part).toBe('part')
  await expect(loadInTime(partAt(0), () => true)).rejects.toBe(lost)
})

test('after an upgrade the page is loaded again, once for each build', async () => {
  serve('two')
  void loadPart(partAt(0))
  await vi.advanceTimersByTimeAsync(0)
  expect([attempts, reloads]).toEqual([1, 1])
  const outcome = loadPart(partAt(0)).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(lost)
  expect(reloads).toBe(1)
  serve('three')
  void loadPart(partAt(0))
  await vi.advanceTimersByTimeAsync(0)
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

test('what somebody types is not lost by it, until that person wants the page again', async () => {
  serve('two')
  const field = document.getElementById('typed') as HTMLInputElement
  field.value = 'asha@example.in'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  const outcome = loadPart(partAt(0)).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await outcome).toBe(lost)
  expect(reloads).toBe(0)
  void reloadIfOutdated()
  await vi.advanceTimersByTimeAsync(0)
  expect(reloads).toBe(1)
})

test('without storage, without the name of a build, or without a server there is no reload', async () => {
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
  document.querySelector('meta[name=build]')?.remove()
  serve('two')
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
