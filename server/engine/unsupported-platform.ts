// The error of a machine that cannot run the embedded PostgreSQL.

/** Thrown with a reason; its message also mentions the alternative. */
export class NativeUnavailable extends Error {
  override readonly name = 'NativeUnavailable'

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `The embedded PostgreSQL cannot run on this machine: ${reason}. Set DATABASE_URL to the address of a PostgreSQL server, version 15 or newer`,
      options,
    )
  }
}

/** PostgreSQL's output if the system denies it shared memory, semaphores or a user's name. */
export const machineForbids = /shared memory|semaphore|Operation not permitted|Function not implemented|look up effective user/i
