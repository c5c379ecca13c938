// The one failure that permits the fallback engine: PostgreSQL itself cannot run on this machine.

/** Thrown with a reason that fits after "because". */
export class NativeUnavailable extends Error {
  override readonly name = 'NativeUnavailable'
}
