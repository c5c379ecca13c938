// Pages for 400, 403, 404 and 405, each with a link home.
import { Link, useLocation } from 'react-router'
import { appText } from '#shared/app/text/en.ts'
import { loginText } from '#shared/auth/text/en-login.ts'
import { statusPagesText as text } from '#shared/app/text/en-status-pages.ts'
import { useUser } from '#web/features/auth/api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { paths } from '../paths.ts'
import { CandleRow, candleWidth, candleX, PictureFrame } from './candle-row.tsx'
import { PictureContent, PicturePage } from './picture-page.tsx'

const pages = {
  /** An invalid request. */
  400: { code: text.badRequest, title: text.badRequestTitle, sentence: text.badRequestText, picture: <GapPicture /> },
  /** For users who are not admins, and for visitors, who have no account that could be wrong and may sign in. */
  403: { code: text.forbidden, title: text.forbiddenTitle, sentence: text.forbiddenText, picture: <LockedPicture /> },
  /** An unknown address. */
  404: { code: text.notFound, title: text.notFoundTitle, sentence: text.notFoundText, picture: <GapPicture /> },
  /** A method that the page does not support. */
  405: { code: text.notAllowed, title: text.notAllowedTitle, sentence: text.notAllowedText, picture: <LockedPicture /> },
} as const

export interface StatusScreenProps {
  readonly status?: keyof typeof pages
}

/** The page of an HTTP status. */
export function StatusScreen({ status = 404 }: StatusScreenProps) {
  const { code, title, sentence, picture } = pages[status]
  useTitle(code)
  const { user } = useUser()
  const { pathname } = useLocation()
  const maySignIn = status === 403 && user === undefined
  return (
    <PicturePage code={code} title={title} text={maySignIn ? text.forbiddenVisitor : sentence} picture={picture}>
      <HomeLink />
      {maySignIn && (
        <Link to={paths.login} state={{ back: pathname }} className={buttonClass('outline', 'large')}>
          {loginText.toSignIn}
        </Link>
      )}
    </PicturePage>
  )
}

/** 404 inside the admin area, whose shell stays. */
export function AdminNotFoundScreen() {
  useTitle(text.notFound)
  return (
    <PictureContent code={text.notFound} title={text.notFoundTitle} text={text.notFoundText} picture={<GapPicture />}>
      <HomeLink />
    </PictureContent>
  )
}

/** A full page load, so that it works from any state. */
function HomeLink() {
  return (
    <a href={paths.home} className={buttonClass('solid', 'large')}>
      {appText.goHome}
    </a>
  )
}

function GapPicture() {
  const gapX = candleX(10)
  return (
    <PictureFrame label={text.gapPicture}>
      <CandleRow from={0} to={10} />
      <rect x={gapX} y="66" width={candleWidth} height="36" className="stroke-text-3" strokeDasharray="2 3" />
      <path d={`M${gapX + candleWidth / 2} 52V66M${gapX + candleWidth / 2} 102V118`} className="stroke-text-3" strokeDasharray="2 3" />
      <CandleRow from={11} to={16} />
    </PictureFrame>
  )
}

function LockedPicture() {
  return (
    <PictureFrame label={text.lockedPicture}>
      <g opacity="0.4">
        <CandleRow from={0} to={16} />
      </g>
      <circle cx="184" cy="100" r="44" className="fill-canvas stroke-line-strong" />
      <path d="M172 96v-9a12 12 0 0 1 24 0v9" className="stroke-text" strokeWidth="3" strokeLinecap="round" />
      <rect x="164" y="96" width="40" height="28" rx="4" className="fill-raised stroke-text" strokeWidth="3" />
      <path d="M184 106v8" className="stroke-text" strokeWidth="3" strokeLinecap="round" />
    </PictureFrame>
  )
}
