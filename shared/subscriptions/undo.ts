// How long an admin's decision can be undone.
import { hourMs } from '#shared/base/durations.ts'

/** From the history of the user; the server refuses later ones. */
export const undoMs = hourMs
/** From the message about the decision. */
export const undoToastMs = 10_000
