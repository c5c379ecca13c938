// Token of an email link, taken from the fragment of the address.
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

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

const tokenMark = '#token='

/** Token of a link such as `/reset-password#token=abc`, given the part from # on; undefined where there is none. */
export function readToken(hash: string): string | undefined {
  const token = hash.startsWith(tokenMark) ? hash.slice(tokenMark.length) : ''
  return token === '' ? undefined : token
}
