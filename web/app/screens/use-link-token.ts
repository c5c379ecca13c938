// The token of a link in a mail, which stands in the fragment of the address.
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readToken } from '#web/features/auth/password-rules.ts'

/**
 * The token, or undefined where the address had none. It is taken out of the address bar at once, so that no history,
 * shared screen or copied address holds it.
 */
export function useLinkToken(path: string): string | undefined {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(() => readToken(hash))
  const fresh = readToken(hash)
  // A second mail opened in the same tab brings its own token.
  if (fresh !== undefined && fresh !== token) setToken(fresh)
  useEffect(() => {
    if (hash !== '') void navigate(path, { replace: true })
  }, [hash, navigate, path])
  return token
}
