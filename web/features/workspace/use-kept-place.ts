// The last chart of the account: kept as the person moves, and brought back once after a sign-in on the bare address.
import { useEffect, useRef, useState } from 'react'
import type { ChartPlace } from '#shared/workspace/workspace.ts'
import { chartChoices, session } from '#web/lib/storage.ts'
import { applyChoices, followChoices } from './follow-choices.ts'
import { changeWorkspace, keepWorkspace, useWorkspace } from './workspace-store.ts'

export interface KeptPlaceNeeds {
  readonly userId: string
  /** What is on the screen; undefined where that is no chart. */
  readonly place: ChartPlace | undefined
  /** True where the address names neither an instrument nor a timeframe; any other address wins over what was kept. */
  readonly isBare: boolean
  /** Goes to the kept chart; says whether it does. */
  readonly onRestore: (last: ChartPlace) => boolean
  /** The workspace is there, and the kept chart is on the screen where it was to be gone to. */
  readonly onArrive: () => void
}

/** Which session has been brought to its chart in this browser. */
const restoredName = 'restored'

/** Keeps the workspace of the account while mounted. */
export function useKeptPlace({ userId, place, isBare, onRestore, onArrive }: KeptPlaceNeeds): void {
  const { workspace, isLoaded } = useWorkspace()
  const [isSettled, setIsSettled] = useState(false)
  const [left, setLeft] = useState<ChartPlace>()
  const arrived = useRef(place?.slug)
  useEffect(() => keepWorkspace(userId), [userId])
  useEffect(() => followChoices(), [])
  useEffect(() => {
    if (isLoaded) applyChoices(workspace)
  }, [isLoaded, workspace])
  const { last } = workspace
  useEffect(() => {
    if (!isLoaded || isSettled) return
    // Once, when the server has answered; what is kept from then on must wait for it.
    // oxlint-disable-next-line react/set-state-in-effect
    setIsSettled(true)
    // Whoever has moved on meanwhile knows where to go.
    const isFirst = isFirstOfSession() && isBare && place?.slug === arrived.current
    if (isFirst && last !== null && (last.slug !== place?.slug || last.timeframe !== place.timeframe) && onRestore(last)) setLeft(place)
  }, [isLoaded, isSettled, isBare, place, last, onRestore])
  const { slug, timeframe } = place ?? {}
  const hasArrived = isSettled && (left === undefined || left.slug !== slug || left.timeframe !== timeframe)
  useEffect(() => {
    if (hasArrived) onArrive()
  }, [hasArrived, onArrive])
  useEffect(() => {
    if (!isSettled || slug === undefined || timeframe === undefined) return
    changeWorkspace((before) =>
      before.last?.slug === slug && before.last.timeframe === timeframe ? before : { ...before, last: { slug, timeframe } },
    )
  }, [isSettled, slug, timeframe])
}

/** True once for each session; a few letters of its token tell sessions apart. */
function isFirstOfSession(): boolean {
  const mark = session.token()?.slice(0, 8) ?? ''
  if (chartChoices.get(restoredName) === mark) return false
  chartChoices.set(restoredName, mark)
  return true
}
