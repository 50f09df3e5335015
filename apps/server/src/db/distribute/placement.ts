/** Where each table is on a cluster (decision 067). A table in neither list fails the test beside this file and stops `npm run distribute`. */

/**
 * A pharmacy's records and figures, on the worker its number falls to: nearly all bytes except messages. Each table has `location_id` in
 * its key, no trigger and no foreign key.
 */
export const DISTRIBUTED = [
  'script',
  'prescription',
  'metric_cell',
  'metric_total',
  'metric_figure',
  'metric_persistence',
  'script_lines',
] as const

/** On the coordinator: tables joined with people, texts and settings, or written in one transaction with them. */
export const LOCAL: ReadonlySet<string> = new Set(
  `
    access_token audit audit_check audit_head audit_seal authenticator_app average_member average_run board_fact board_publication
    campaign campaign_approval campaign_day campaign_group campaign_location campaign_point campaign_recommendation
    campaign_recommendation_template campaign_result campaign_stat campaign_subgroup campaign_template category company
    company_change consent consent_entry consent_request contact contact_history contact_index dashboard data_key data_key_wrap drug
    enrolment erasure erasure_hold erasure_key erasure_record error_report eula_agreement fact_base fact_stale fake_patient follow_up
    follow_up_message gateway_event gateway_pace guild_sixty_day guild_sixty_day_cell guild_sixty_day_member link link_salt
    location location_key location_messaging location_module login login_location mail message message_batch
    message_reply message_run message_stat message_stat_day messaging_setting migration module molecule
    onboarding_notification passkey patient patient_fact patient_former patient_measure person_cell person_figure person_key
    person_key_state person_link prescriber primary_start product_average recommendation_count recount_queue
    recovery_code recruiter_provider remembered_browser report_file report_mail report_mail_rule report_mail_sent
    report_mail_stop report_request request_key resource_version restore_gap s8_attention s8_balance s8_contradiction s8_entry
    s8_head s8_pharmacy s8_product s8_status saved_view saved_view_default sequence sequence_event
    sequence_recommendation sequence_recommendation_template session signup simulator_message sixty_day_base
    sixty_day_cell sixty_day_list staff_contact stat_recount_queue step_up stock subcategory target template
    template_recommendation throttle touch trial trial_consent_form trial_ethics_approval trial_event trial_forecast trial_link
    trial_location trial_participant trial_rebate trial_referral trial_status_change trial_template upload upload_fault
    upload_file upload_work
  `
    .trim()
    .split(/\s+/),
)
