// The checks of the system status.

export const checkNames = ['database', 'writes', 'redis', 'market-hub', 'sources', 'jobs', 'mails', 'backup'] as const
export type CheckName = (typeof checkNames)[number]

/** `off`: not configured. `unknown`: only another process knows, or nothing was asked yet. */
export const checkStates = ['ok', 'failing', 'off', 'unknown'] as const

export interface SystemCheck {
  readonly name: CheckName
  readonly state: (typeof checkStates)[number]
  readonly details: string[]
}
