// Token of an email link, taken from the fragment of the address.
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readToken } from '#web/features/auth/password-fields.ts'

/**
 * The token, or undefined where the address has none. It is removed from the address bar at once, so that it does not leak
 * through history, shared screens or copied addresses.
 */
export function useLinkToken(path: string): string | undefined {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(() => readToken(hash))
  const fresh = readToken(hash)
  // A second email link opened in the same tab has its own token.
  if (fresh !== undefined && fresh !== token) setToken(fresh)
  useEffect(() => {
    if (hash !== '') void navigate(path, { replace: true })
  }, [hash, navigate, path])
  return token
}
