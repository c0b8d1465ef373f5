import { mounting } from "../shared/mounting";
import { UploadScreen } from "./upload_screen";

export const mount = mounting<Pt.UploadData, UploadScreen>({
  sheet: new URL("./upload.css", import.meta.url).href,
  show(root, { data, setStateValue }, screen) {
    const shown = screen ?? new UploadScreen(root);
    shown.update(data, () => setStateValue("sent", Date.now()));
    return shown;
  },
  close: (screen) => screen.destroy(),
  keeps: true,
});
