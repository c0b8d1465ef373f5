import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { t, tn } from "../../shared/messages";

/** Ask whether the rest of a page's elements is right. */
export function askToAccept(host: Element, count: number, page: Pt.Place, onAccept: () => void) {
  return openDialog(host, (close) => (
    <Dialog
      title={t("Accept the rest of this page?")}
      testid="accept-dialog"
      final
      onSubmit={() => {
        close();
        onAccept();
      }}
      onClose={() => close()}
      actions={
        <>
          <DialogButton onClick={() => close()}>{t("Keep checking")}</DialogButton>
          <DialogButton main testid="confirm-accept">
            {tn("Accept {number} element", "Accept {number} elements", count)}
          </DialogButton>
        </>
      }
    >
      <p>
        {tn(
          "{number} element of page {page} of {document} will count as checked by you: box, label, text and order are right as they are.",
          "{number} elements of page {page} of {document} will count as checked by you: box, label, text and order are right as they are.",
          count,
          { ...page },
        )}
      </p>
    </Dialog>
  ));
}
