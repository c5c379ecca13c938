// When the page's line comes back by itself, and when it waits for somebody to look.
import { expect, test } from 'vitest'
import { closeCodes } from '#shared/market/live.ts'
import { liveSocket } from './live-socket.ts'

class ScriptedSocket extends EventTarget {
  send(): void {
    // Nothing is asked of it here.
  }
  close(): void {
    // The test says when it closes.
  }
}

function line() {
  const opened: ScriptedSocket[] = []
  const timers = new Set<() => void>()
  const socket = liveSocket({
    open: () => {
      const scripted = new ScriptedSocket()
      opened.push(scripted)
      return scripted as unknown as WebSocket
    },
    origin: 'https://tezi.example',
    token: () => 'token',
    now: () => 0,
    after(_delayMs, run) {
      timers.add(run)
      return () => timers.delete(run)
    },
    random: () => 0,
  })
  const nothing = (): void => undefined
  socket.subscribe(
    { slug: 'nifty', timeframe: '1', bars: 10 },
    { snapshot: nothing, update: nothing, condition: nothing, ended: nothing, connected: nothing },
  )
  return {
    socket,
    opened,
    closeWith: (code: number) => opened.at(-1)?.dispatchEvent(Object.assign(new Event('close'), { code })),
    runTimers: () => {
      const due = [...timers]
      timers.clear()
      for (const run of due) run()
    },
  }
}

test.each([closeCodes.session, closeCodes.replaced])('closed with %i it comes back only when somebody looks', (code) => {
  const { socket, opened, closeWith, runTimers } = line()
  closeWith(code)
  runTimers()
  expect(opened).toHaveLength(1)
  socket.wake()
  expect(opened).toHaveLength(2)
})

test.each([closeCodes.noHello, closeCodes.busy, 1001, 1006])('closed with %i it comes back by itself', (code) => {
  const { opened, closeWith, runTimers } = line()
  closeWith(code)
  runTimers()
  expect(opened).toHaveLength(2)
})
