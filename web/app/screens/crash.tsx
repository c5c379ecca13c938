// Screen for unexpected errors, without the error's message.
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { paths } from '../paths.ts'
import { PicturePage } from './picture-page.tsx'
import { FlatLinePicture } from './flat-line-picture.tsx'

/** Home is a full page load: the router's state may be the cause of the error. */
export function CrashScreen() {
  useTitle('Unexpected error')
  return (
    <PicturePage
      picture={<FlatLinePicture />}
      title="Unexpected Application Error!"
      text="This screen stopped working. Your account and your settings are safe; loading the page again usually helps."
    >
      <Button size="large" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
      <a href={paths.home} className={buttonClass('outline', 'large')}>
        Go to Homepage
      </a>
    </PicturePage>
  )
}
