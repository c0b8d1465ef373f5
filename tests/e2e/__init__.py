"""Journeys in a real browser. What people rely on, and the tests that fail when it breaks:

Keys
* Digits answer the field or control that prints them; a page is graded before its boxes are
  labelled, and a box drawn too early is kept: ``fields/test_keys_of_fields.py``
  (``test_digits_do_what_is_printed``, ``test_a_box_drawn_too_early_is_kept``,
  ``test_a_box_that_is_not_wanted_is_discarded``).
* A row prints keys only while they work, from the moment a task opens:
  ``task_modes/test_records.py``
  (``test_first_open_row_has_the_focus_and_alone_prints_keys``,
  ``test_chart_and_trajectory_begin_in_their_first_row``).
* Nothing is judged unseen, however fast the keys come: ``fields/test_relevance.py``
  (``test_keys_faster_than_pages``, ``test_random_keys_judge_no_unseen_page``),
  ``fields/test_keys_of_fields.py`` (``test_digits_review_a_pair_from_the_start``,
  ``test_a_digit_in_the_same_moment_judges_nothing``), ``task_modes/test_random_keys.py``.
  Journeys wait for the attribute ``data-verdict-ready`` (``support/readiness.py``).
* Other keyboard layouts, and a person's own keys: ``fields/test_layouts.py``,
  ``screens/test_personal_keys.py``.
* A search task begins in the search box; Enter opens the first result, a digit the others:
  ``workspace/test_search_flow.py`` (``test_search_task_takes_six_actions``,
  ``test_results_open_by_number``, ``test_enter_runs_a_changed_query``).
* Boxes are drawn, moved and resized without a pointer: ``boxes/test_keyboard.py``
  (``test_a_box_without_a_pointer``), ``boxes/test_outlining.py`` (on a page without text,
  ``test_a_scan_without_text_is_boxed_by_keyboard``).
* Every preset from sign-in to submission without a mouse:
  ``campaigns/test_presets_by_keyboard.py``.

Work that is neither lost nor asked for twice
* One history for everything: ``workspace/test_undo.py``, ``fields/test_undo.py``,
  ``task_modes/test_undo.py``, ``task_modes/test_transcribe.py``.
* Full or blocked storage is said, and nothing is called kept that is not:
  ``interruptions/test_browser_storage.py``.
* A submission without a connection waits, and can be withdrawn:
  ``interruptions/test_waiting_submission.py``.
* One number counts complete pages, boxes fill the modalities, and a complete page is left by
  whatever completes it; actions per unit are counted: ``fields/test_complete_pages.py``.
* Results belong to the query above them, and tasks are entries of the history:
  ``workspace/test_search_flow.py`` (``test_results_belong_to_the_query_above_them``,
  ``test_tasks_are_entries_of_the_history``).

What is on screen
* Focus can be seen, and axe-core reports nothing: ``screens/test_every_screen.py``,
  ``screens/test_every_dialog.py``.
* The next task comes first in My batches: ``screens/test_home.py``.
* Tools, results and search leave room for the page: ``workspace/test_room.py``,
  ``workspace/test_small_screens.py``.
* Names of boxes, targets of 24 pixels, thumbnails, missing addresses, layout shift, memory:
  ``boxes/test_mouse.py`` (``test_names_of_boxes_leave_the_lines_above_free``),
  ``fields/test_field_appearance.py``, ``long_documents``.
* A tour in the first task, and the guide on one page: ``guide``.
* Theme and language: ``screens/test_preferences.py``, ``results/test_german.py``.
* Connected sign-ins are told of and removed: ``screens/test_connected_sign_ins.py``.
* Bookmarks, scratchpad, calculator, swiping: ``workspace/test_batch_aids.py``,
  ``workspace/test_page_text.py``, ``workspace/test_turning_pages.py``.

Turned, cropped and scanned pages are in ``support/box_workspace.py``, 200 pages in
``long_documents/conftest.py``. ``tests/docs/test_pages.py`` checks that the tests named here exist.
"""
