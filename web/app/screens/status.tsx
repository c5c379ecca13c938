// Pages for 400, 403, 404 and 405, each with a link home.
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { paths } from '../paths.ts'
import { CandleRow, candleWidth, candleX, PictureFrame } from './candle-row.tsx'
import { PicturePage } from './picture-page.tsx'

/** 403, for users who are not admins. */
export function ForbiddenScreen() {
  useTitle('403 Forbidden')
  return (
    <PicturePage
      code="403 Forbidden"
      title="This area is for admins"
      text="Your account does not have permission to open this page."
      picture={<LockedPicture />}
    >
      <HomeLink />
    </PicturePage>
  )
}

/** 404, for an unknown address. */
export function NotFoundScreen() {
  useTitle('404 Not found')
  return (
    <PicturePage
      code="404 Not found"
      title="There is no page here"
      text="The address may be mistyped, or the page has moved."
      picture={<GapPicture />}
    >
      <HomeLink />
    </PicturePage>
  )
}

/** 400, for an invalid request. */
export function BadRequestScreen() {
  useTitle('400 Bad request')
  return (
    <PicturePage
      code="400 Bad request"
      title="That request did not make sense"
      text="Something in it was missing or broken. Please start again from the homepage."
      picture={<GapPicture />}
    >
      <HomeLink />
    </PicturePage>
  )
}

/** 405, for a method that the page does not support. */
export function MethodNotAllowedScreen() {
  useTitle('405 Method not allowed')
  return (
    <PicturePage
      code="405 Method not allowed"
      title="This page only shows things"
      text="Nothing can be sent to it. Please start again from the homepage."
      picture={<LockedPicture />}
    >
      <HomeLink />
    </PicturePage>
  )
}

/** A full page load, so that it works from any state. */
function HomeLink() {
  return (
    <a href={paths.home} className={buttonClass('solid', 'large')}>
      Go to Homepage
    </a>
  )
}

function GapPicture() {
  const gapX = candleX(10)
  return (
    <PictureFrame label="A chart with one candle missing">
      <CandleRow from={0} to={10} />
      <rect x={gapX} y="66" width={candleWidth} height="36" className="stroke-text-3" strokeDasharray="2 3" />
      <path d={`M${gapX + candleWidth / 2} 52V66M${gapX + candleWidth / 2} 102V118`} className="stroke-text-3" strokeDasharray="2 3" />
      <CandleRow from={11} to={16} />
    </PictureFrame>
  )
}

function LockedPicture() {
  return (
    <PictureFrame label="A chart behind a lock">
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
