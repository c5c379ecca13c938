// Error boundary of the router: a page per HTTP status, the crash screen for everything else.
import { useEffect } from 'react'
import { isRouteErrorResponse, useRouteError } from 'react-router'
import { screens } from '../screens.tsx'
import { appText as text } from '#shared/app/text/en.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { paths } from '../paths.ts'
import { PicturePage } from './picture-page.tsx'
import { CandleRow, PictureFrame } from './candle-row.tsx'

const statuses = [400, 403, 404, 405] as const

/** Logs the error to the console, and a crash also to the server. */
export function ErrorScreen() {
  const error = useRouteError()
  const status = isRouteErrorResponse(error) ? statuses.find((known) => known === error.status) : undefined
  useEffect(() => {
    console.error(error)
    if (status === undefined) dispatchEvent(new ErrorEvent('error', { error }))
  }, [error, status])
  return status === undefined ? <CrashScreen /> : <screens.status status={status} />
}

/** Home is a full page load: the router's state may be the cause of the error. */
function CrashScreen() {
  useTitle(text.crashTab)
  return (
    <PicturePage picture={<FlatLinePicture />} title={text.crashTitle} text={text.crashText}>
      <Button size="large" onClick={() => window.location.reload()}>
        {text.reload}
      </Button>
      <a href={paths.home} className={buttonClass('outline', 'large')}>
        {text.goHome}
      </a>
    </PicturePage>
  )
}

/** Decorative; the headline says the same. */
function FlatLinePicture() {
  return (
    <PictureFrame label={text.crashPicture}>
      <CandleRow from={0} to={9} />
      <path d="M212 76H344" className="stroke-warn" strokeWidth="1.5" strokeDasharray="2 6" strokeLinecap="round" />
      <circle cx="212" cy="76" r="3" className="fill-warn" />
    </PictureFrame>
  )
}
