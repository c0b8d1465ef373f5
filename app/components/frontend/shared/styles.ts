/** The style sheets that all screens of the work have in common. */

import "./tokens.css";
import "./base.css";
import "./controls.css";
import "./panels.css";
import "./dialogs.css";
import "./page/page_stage.css";
import "./boxes.css";
