// The signed-in user who sends a request, as services and the audit log need it.

export interface RequestActor {
  readonly id: string
  readonly email: string
  /** IP address, grouped as for rate limits. */
  readonly address: string
}
