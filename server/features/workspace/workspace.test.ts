// Workspaces and drawings through the API: rejections, limits, round trips, and concurrent devices.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { premiumColumns, startMs, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { addMember } from '#server/testing/subscriptions.ts'
import { anchorCounts, drawingKinds, drawingsBytesMax, type Drawing } from '#shared/drawings/drawing.ts'
import { noWorkspace, workspaceBytesMax, type Layout, type Workspace } from '#shared/workspace/workspace.ts'

let server: TestApp
beforeAll(async () => {
  server = await testApp()
})
afterAll(() => server.close())

const path = '/api/v1/user/workspace'
const line: Drawing = {
  id: 'a',
  kind: 'trend',
  anchors: [
    { timeMs: startMs, price: 25_000.05 },
    { timeMs: startMs + 60_000, price: 25_010 },
  ],
  colour: 'accent',
  width: 1,
  text: '',
}
const note: Drawing = { ...line, id: 'n', kind: 'text', anchors: [{ timeMs: startMs, price: 1 }], text: 'Breakout?' }
const layout: Layout = {
  id: 'l1',
  name: 'Morning',
  grid: 2,
  areSymbolsLinked: false,
  areTimeframesLinked: true,
  areCrosshairsLinked: true,
  active: 1,
  charts: [
    { slug: 'nifty', timeframe: '5' },
    { slug: 'sensex', timeframe: '5', engine: 'tezi', style: 'line', scale: 'log' },
  ],
}
const { id: _, name: __, ...screen } = layout
const full: Workspace = {
  ...noWorkspace,
  last: { slug: 'eur-usd', timeframe: '15' },
  screen,
  engine: 'tezi',
  options: { style: 'heikin-ashi', scale: 'log', colours: 'safe', hasBreaks: false, adjustment: 'all' },
  studies: ['supertrend', 'rsi'],
  hiddenStudies: ['rsi', 'zigZag'],
  studyInputs: { zigZag: { deviation: 3.5, showLast: true, source: 'close' } },
  favourites: ['nifty', 'btc-usd'],
  alarm: { isOn: true, secondsBefore: 15, hasSound: true, hasNotification: true },
  layouts: [layout],
  layoutId: 'l1',
}

/** Maximum number within the size limit. */
function lastThatFits(make: (count: number) => unknown, bytesMax: number): number {
  let count = 0
  while (Buffer.byteLength(JSON.stringify(make(count + 1))) <= bytesMax) count += 1
  return count
}

const put = (browser: Browser, address: string, body: unknown) => browser.send({ method: 'PUT', path: address, body })

describe('a workspace', () => {
  test.each([
    ['no version', { workspace: full }],
    ['a negative version', { version: -1, workspace: full }],
    ['another shape', { version: 0, workspace: { ...full, v: 2 } }],
    ['an unknown timeframe', { version: 0, workspace: { ...full, last: { slug: 'nifty', timeframe: '7' } } }],
    ['an invalid slug', { version: 0, workspace: { ...full, favourites: ['<b>'] } }],
    ['a favourite twice', { version: 0, workspace: { ...full, favourites: ['nifty', 'nifty'] } }],
    ['a study twice', { version: 0, workspace: { ...full, studies: ['rsi', 'rsi'] } }],
    ['a study without a name', { version: 0, workspace: { ...full, hiddenStudies: [''] } }],
    ['too many studies', { version: 0, workspace: { ...full, studies: Array.from({ length: 41 }, (_, at) => `s${at}`) } }],
    ['no list of studies', { version: 0, workspace: { ...full, studies: undefined } }],
    ['an alarm of no second', { version: 0, workspace: { ...full, alarm: { ...full.alarm, secondsBefore: 0 } } }],
    ['a layout without a name', { version: 0, workspace: { ...full, layouts: [{ ...layout, name: ' ' }] } }],
    ['a layout of three', { version: 0, workspace: { ...full, layouts: [{ ...layout, grid: 3 }] } }],
    ['fewer charts than fields', { version: 0, workspace: { ...full, layouts: [{ ...layout, grid: 4 }] } }],
    ['a screen of three charts', { version: 0, workspace: { ...full, screen: { ...screen, grid: 3 } } }],
    ['a screen with a field that has no chart', { version: 0, workspace: { ...full, screen: { ...screen, grid: 4 } } }],
    ['a screen whose active chart is not there', { version: 0, workspace: { ...full, screen: { ...screen, active: 2 } } }],
    ['a screen of five charts', { version: 0, workspace: { ...full, screen: { ...screen, charts: Array(5).fill(screen.charts[0]) } } }],
    [
      'a chart with an unknown engine',
      { version: 0, workspace: { ...full, screen: { ...screen, grid: 1, charts: [{ ...full.last, engine: 'x' }], active: 0 } } },
    ],
    [
      'a chart with an invalid style',
      { version: 0, workspace: { ...full, screen: { ...screen, grid: 1, charts: [{ ...full.last, style: '<b>' }], active: 0 } } },
    ],
    ['two layouts of one id', { version: 0, workspace: { ...full, layouts: [layout, layout] } }],
    [
      'twenty-one layouts',
      { version: 0, workspace: { ...full, layouts: Array.from({ length: 21 }, (_, at) => ({ ...layout, id: `l${at}` })) } },
    ],
  ])('with %s is rejected, and nothing is stored', async (_, body) => {
    const { browser } = await addMember(server)
    expect((await put(browser, path, body)).statusCode).toBe(400)
    expect((await browser.client.workspace.read()).data).toEqual({ version: 0, workspace: noWorkspace })
  })

  test('is limited to 64 kB', async () => {
    const { browser } = await addMember(server)
    const inputs = (study: number) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${'i'.repeat(30)}${study}-${at}`, 'x'.repeat(60)]))
    const studyInputs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, inputs(at)]))
    const sized = (count: number): Workspace => ({ ...full, studyInputs: studyInputs(count) })
    const most = lastThatFits(sized, workspaceBytesMax)
    expect((await put(browser, path, { version: 0, workspace: sized(most + 1) })).statusCode).toBe(413)
    expect((await put(browser, path, { version: 0, workspace: sized(40) })).statusCode).toBe(413)
    expect((await put(browser, path, { version: 0, workspace: sized(most) })).statusCode).toBe(200)
  })

  test('is read back completely, for its account only, with or without premium', async () => {
    const { browser } = await addMember(server)
    expect((await browser.client.workspace.save({ body: { version: 0, workspace: full } })).data).toEqual({ version: 1 })
    expect((await browser.client.workspace.read()).data).toEqual({ version: 1, workspace: full })
    const other = await addMember(server, premiumColumns)
    expect((await other.browser.client.workspace.read()).data.version).toBe(0)
  })

  test('of a page version without a grid is accepted, and so is its layout', async () => {
    const { browser } = await addMember(server)
    const { screen: _, ...rest } = full
    const { active: __, areCrosshairsLinked: ___, ...old } = { ...layout, charts: screen.charts }
    expect((await put(browser, path, { version: 0, workspace: { ...rest, layouts: [old] } })).statusCode).toBe(200)
    const workspace = { ...full, screen: null, layouts: [{ ...layout, active: 0, areCrosshairsLinked: false }] }
    expect((await browser.client.workspace.read()).data).toEqual({ version: 1, workspace })
  })

  test('of a device that did not see the last save is rejected with 409, and the save is kept', async () => {
    const { browser } = await addMember(server)
    const { save, read } = browser.client.workspace
    await expect(save({ body: { version: 3, workspace: full } })).rejects.toMatchObject({ status: 409 })
    await save({ body: { version: 0, workspace: full } })
    const stale = { ...full, favourites: [] }
    for (const version of [0, 2])
      await expect(save({ body: { version, workspace: stale } })).rejects.toMatchObject({ status: 409, code: 'workspace.savedElsewhere' })
    expect((await read()).data).toEqual({ version: 1, workspace: full })
    await save({ body: { version: 1, workspace: stale } })
    expect((await read()).data).toEqual({ version: 2, workspace: stale })
  })

  test.each([0, 1])('saved by eight devices at once from version %i is saved by one', async (version) => {
    const { browser } = await addMember(server)
    if (version === 1) await browser.client.workspace.save({ body: { version: 0, workspace: full } })
    const bodies = Array.from({ length: 8 }, (_, at) => ({ version, workspace: { ...full, last: { slug: `s${at}`, timeframe: '1' } } }))
    const answers = await Promise.all(bodies.map((body) => put(browser, path, body)))
    expect(answers.map((answer) => answer.statusCode).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409, 409, 409, 409,
    ])
    const winner = answers.findIndex((answer) => answer.statusCode === 200)
    expect((await browser.client.workspace.read()).data).toEqual({ version: version + 1, workspace: bodies[winner]?.workspace })
  })

  test('with a broken stored field loses only that field', async () => {
    const { browser, id } = await addMember(server)
    const content = JSON.stringify({ ...full, last: { slug: 'nifty', timeframe: '7' }, layouts: 'none', dropped: 1 })
    await server.database.db
      .insertInto('workspaces')
      .values({ user_id: id, version: 4, content, updated_at: new Date(startMs) })
      .execute()
    expect((await browser.client.workspace.read()).data).toEqual({ version: 4, workspace: { ...full, last: null, layouts: [] } })
  })
})

describe('drawings', () => {
  const address = '/api/v1/user/drawings/nifty'
  const many = (count: number, text: string): Drawing[] => Array.from({ length: count }, (_, at) => ({ ...note, id: `d${at}`, text }))

  test.each([
    ['an unknown kind', { ...line, kind: 'pitchfork' }],
    ['one anchor of two', { ...line, anchors: line.anchors.slice(0, 1) }],
    ['two anchors of one', { ...line, kind: 'horizontal' }],
    ['no price', { ...line, anchors: [line.anchors[0], { timeMs: startMs, price: null }] }],
    ['a time beyond all candles', { ...line, anchors: [line.anchors[0], { timeMs: 8e12, price: 1 }] }],
    ['half a millisecond', { ...line, anchors: [line.anchors[0], { timeMs: 0.5, price: 1 }] }],
    ['a colour of its own', { ...line, colour: '#fff' }],
    ['an empty text', { ...note, text: ' ' }],
    ['a text of a line', { ...line, text: 'x' }],
    ['a text that is too long', { ...note, text: 'x'.repeat(201) }],
  ])('with %s are rejected', async (_, drawing) => {
    const { browser } = await addMember(server)
    expect((await put(browser, address, { version: 0, drawings: [drawing] })).statusCode).toBe(400)
    expect((await browser.client.workspace.drawings({ params: { slug: 'nifty' } })).data).toEqual({ version: 0, drawings: [] })
  })

  test('with a duplicate id, from the 501st on, and beyond 256 kB are rejected', async () => {
    const { browser } = await addMember(server)
    expect((await put(browser, address, { version: 0, drawings: [line, line] })).statusCode).toBe(400)
    expect((await put(browser, address, { version: 0, drawings: many(501, 'x') })).statusCode).toBe(400)
    // A four-byte character counts as two in a string's length.
    const large = (count: number) => many(count, '🂡'.repeat(100)).map((one) => ({ ...one, id: one.id.padEnd(36, '-') }))
    const most = lastThatFits(large, drawingsBytesMax)
    expect((await put(browser, address, { version: 0, drawings: large(most + 1) })).statusCode).toBe(413)
    expect((await put(browser, address, { version: 0, drawings: large(500) })).statusCode).toBe(413)
    expect((await put(browser, address, { version: 0, drawings: large(most) })).statusCode).toBe(200)
    expect((await put(browser, address, { version: 1, drawings: many(500, 'x') })).statusCode).toBe(200)
  })

  test('on an instrument that needs premium are denied without it, and come back with it', async () => {
    const { browser, id } = await addMember(server, premiumColumns)
    const { drawings, saveDrawings } = browser.client.workspace
    const call = { params: { slug: 'eur-usd' } }
    await expect(drawings({ params: { slug: 'no-such' } })).rejects.toMatchObject({ status: 404 })
    await saveDrawings({ ...call, body: { version: 0, drawings: [line] } })
    const users = server.database.db.updateTable('users').where('id', '=', id)
    await users.set({ status: 'cancel' }).execute()
    await expect(drawings(call)).rejects.toMatchObject({ status: 403, code: 'http.premiumRequired' })
    await expect(saveDrawings({ ...call, body: { version: 1, drawings: [] } })).rejects.toMatchObject({ status: 403 })
    await users.set({ status: 'paid' }).execute()
    expect((await drawings(call)).data).toEqual({ version: 1, drawings: [line] })
  })

  test('of every kind are read back, for both names of one instrument and for no other account', async () => {
    const { browser } = await addMember(server, premiumColumns)
    const { drawings, saveDrawings } = browser.client.workspace
    const all = drawingKinds.map((kind) => ({
      ...line,
      id: kind,
      kind,
      anchors: line.anchors.slice(0, anchorCounts[kind]),
      text: kind === 'text' ? 'Zone' : '',
    }))
    await saveDrawings({ params: { slug: 'btc-usd' }, body: { version: 0, drawings: all } })
    expect((await drawings({ params: { slug: 'bitcoin' } })).data).toEqual({ version: 1, drawings: all })
    expect((await drawings({ params: { slug: 'btc-usdt' } })).data.version).toBe(0)
    const other = await addMember(server, premiumColumns)
    expect((await other.browser.client.workspace.drawings({ params: { slug: 'btc-usd' } })).data.version).toBe(0)
  })

  test.each([0, 1])('saved by two devices at once from version %i are saved by one', async (version) => {
    const { browser } = await addMember(server)
    if (version === 1) await put(browser, address, { version: 0, drawings: [] })
    const answers = await Promise.all([line, note].map((drawing) => put(browser, address, { version, drawings: [drawing] })))
    expect(answers.map((answer) => answer.statusCode).toSorted((one, other) => one - other)).toEqual([200, 409])
    const kept = (await browser.client.workspace.drawings({ params: { slug: 'nifty' } })).data
    expect(kept).toEqual({ version: version + 1, drawings: [answers[0]?.statusCode === 200 ? line : note] })
  })
})

test('an account exports its workspace and drawings, and they are deleted with it', async () => {
  const { browser, id } = await addMember(server)
  await browser.client.workspace.save({ body: { version: 0, workspace: full } })
  await browser.client.workspace.saveDrawings({ params: { slug: 'nifty' }, body: { version: 0, drawings: [note] } })
  const file: unknown = (await browser.send({ method: 'GET', path: '/api/v1/user/privacy/export' })).json()
  expect(file).toMatchObject({ workspace: { content: full }, drawings: [{ series: 'nifty', items: [note] }] })
  await server.database.db.deleteFrom('users').where('id', '=', id).execute()
  for (const table of ['workspaces', 'drawings'] as const)
    expect(await server.database.db.selectFrom(table).selectAll().where('user_id', '=', id).execute()).toEqual([])
})
