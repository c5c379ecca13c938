// Cost model: what one page that is open costs, how many users a core carries, what saturates first, and how many nodes a site needs.
// Its constants are measured by other benchmarks; another machine gives its own.
// Usage: node lab/bench/capacity.ts [name=value ...]      (for example: node lab/bench/capacity.ts frameUs=15 concurrent=250000)

/** Microseconds of processor time, bytes, and rates a second. The comment names the source. */
const constants = {
  // lab/bench/fanout.ts: processor time of a frame to one socket.
  frameUs: 18.4,
  // lab/bench/fanout.ts: memory of a socket; measurements.md, All Users: memory of a process without sockets.
  socketBytes: 19 * 1024,
  processBytes: 210 * 1024 * 1024,
  // lab/bench/fanout.ts: processor time of a connect with its session, its subscription and 1,500 candles.
  connectUs: 700,
  // lab/bench/http.ts: GET /user with its session read, in the web process; an upper bound of a recheck, which has no HTTP.
  requestUs: 79,
  // An estimate: one row of a batch, in PostgreSQL.
  databaseRowUs: 20,
  // Frames with the headers of WebSocket, TCP and IP, without TLS.
  candleFrameBytes: 190,
  quoteFrameBytes: 420,
  beatFrameBytes: 100,
  // 1,500 candles.
  snapshotBytes: 89_000,

  // A page: one chart that changes four times a second, a menu, a change of chart once a minute.
  candleFramesPerSecond: 4,
  quoteFramesPerSecond: 2,
  // At most: they are left out right after another frame.
  beatsPerSecond: 0.5,
  rechecksPerSecond: 1 / 15,
  renewalsPerSecond: 1 / 60,
  snapshotsPerSecond: 1 / 60,
  requestsPerSecond: 1 / 30,
  snapshotUs: 250,

  // Planning: how much of a core may be used, and how many sockets a process may hold (LIVE_CONNECTIONS_MAX).
  usableShare: 0.6,
  socketsMax: 20_000,
  concurrent: 0,
}

type Constants = { [Name in keyof typeof constants]: number }

const given = Object.fromEntries(process.argv.slice(2).map((text) => text.split('='))) as Record<string, string>
const unknownNames = Object.keys(given).filter((name) => !(name in constants))
if (unknownNames.length > 0) throw new Error(`unknown: ${unknownNames.join(', ')}`)
const chosen: Constants = { ...constants, ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)])) }

/** Costs of one open page in a second. */
function pageOf(known: Constants) {
  const frames = known.candleFramesPerSecond + known.quoteFramesPerSecond + known.beatsPerSecond
  const web = {
    frames: frames * known.frameUs,
    'session rechecks': known.rechecksPerSecond * known.requestUs,
    presence: known.renewalsPerSecond * known.databaseRowUs,
    snapshots: known.snapshotsPerSecond * known.snapshotUs,
    requests: known.requestsPerSecond * known.requestUs,
  }
  const rows = known.rechecksPerSecond + known.renewalsPerSecond + known.requestsPerSecond
  const bytes =
    known.candleFramesPerSecond * known.candleFrameBytes +
    known.quoteFramesPerSecond * known.quoteFrameBytes +
    known.beatsPerSecond * known.beatFrameBytes +
    known.snapshotsPerSecond * known.snapshotBytes
  return { web, webUs: sumOf(web), databaseUs: rows * known.databaseRowUs, bytes }
}

/** The page before presence and quotes went over the socket: nine instruments with frames of their own, and heartbeats. */
function pageBefore(known: Constants) {
  const page = pageOf({ ...known, quoteFramesPerSecond: 9 * 4, quoteFrameBytes: known.candleFrameBytes })
  const heartbeats = 1 / 10
  return {
    webUs: page.webUs + heartbeats * known.requestUs,
    databaseUs: page.databaseUs + heartbeats * 2 * known.databaseRowUs,
    bytes: page.bytes,
  }
}

function planOf(known: Constants, users: number) {
  const page = pageOf(known)
  const perCore = Math.min(known.socketsMax, (1e6 * known.usableShare) / page.webUs)
  const processes = Math.ceil(users / perCore)
  return {
    users,
    'web processes': processes,
    'sockets each': Math.round(users / processes),
    'memory of one, MB': Math.round((known.processBytes + (users / processes) * known.socketBytes) / 2 ** 20),
    'outgoing Gbit/s': Number(((users * page.bytes * 8) / 1e9).toFixed(2)),
    'database cores': Number(((users * page.databaseUs) / 1e6 / known.usableShare).toFixed(1)),
    'reconnect of all, s of a core each': Number(((users / processes) * known.connectUs * 1e-6).toFixed(1)),
  }
}

const sumOf = (parts: Readonly<Record<string, number>>): number => Object.values(parts).reduce((sum, part) => sum + part, 0)
const users = (microseconds: number): number => Math.floor(1e6 / microseconds)

const page = pageOf(chosen)
const before = pageBefore(chosen)
console.log('Processor time of an open page in the web process, microseconds a second')
console.table(Object.fromEntries(Object.entries(page.web).map(([name, value]) => [name, { 'µs/s': Number(value.toFixed(1)) }])))
console.table({
  before: { 'µs/s': Math.round(before.webUs), 'users a core': users(before.webUs), 'bytes/s': Math.round(before.bytes) },
  today: { 'µs/s': Math.round(page.webUs), 'users a core': users(page.webUs), 'bytes/s': Math.round(page.bytes) },
})
const sizes = chosen.concurrent > 0 ? [chosen.concurrent] : [5_000, 100_000, 1_000_000]
console.log(`Plan, with ${chosen.usableShare * 100} % of each core used`)
console.table(sizes.map((size) => planOf(chosen, size)))
