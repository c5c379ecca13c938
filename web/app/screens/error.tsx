// Error boundary of the router: a page per HTTP status, the crash screen for everything else.
import { useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { BadRequestScreen, ForbiddenScreen, MethodNotAllowedScreen, NotFoundScreen } from '../screens.tsx'
import { CrashScreen } from './crash.tsx'

const pageByStatus = new Map([
  [400, <BadRequestScreen key={400} />],
  [403, <ForbiddenScreen key={403} />],
  [404, <NotFoundScreen key={404} />],
  [405, <MethodNotAllowedScreen key={405} />],
])

/** Logs the error to the console, and a crash also to the server. */
export function ErrorScreen() {
  const error = useRouteError()
  const page = isRouteErrorResponse(error) ? pageByStatus.get(error.status) : undefined
  useEffect(() => {
    console.error(error)
    if (page === undefined) dispatchEvent(new ErrorEvent('error', { error }))
  }, [error, page])
  return page ?? <CrashScreen />
}
