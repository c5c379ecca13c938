// Illustration of the crash screen: candles that end in a flat line.
import { appText } from '#shared/text/en/app.ts'
import { CandleRow, PictureFrame } from './candle-row.tsx'

/** Decorative; the headline says the same. */
export function FlatLinePicture() {
  return (
    <PictureFrame label={appText.crashPicture}>
      <CandleRow from={0} to={9} />
      <path d="M212 76H344" className="stroke-warn" strokeWidth="1.5" strokeDasharray="2 6" strokeLinecap="round" />
      <circle cx="212" cy="76" r="3" className="fill-warn" />
    </PictureFrame>
  )
}
