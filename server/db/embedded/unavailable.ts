// The one failure that permits the fallback engine: PostgreSQL itself cannot run on this machine.

/** Thrown with a reason that fits after "because". */
export class NativeUnavailable extends Error {
  override readonly name = 'NativeUnavailable'
}

/** What PostgreSQL says where the system withholds shared memory, semaphores or a user's name from it. */
export const machineForbids = /shared memory|semaphore|Operation not permitted|Function not implemented|look up effective user/i
