// Whether this browser has passkeys: over https only, and in few apps' browsers.

export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window
}
