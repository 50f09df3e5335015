-- What was made from a recommended template: withdrawing it says so.
create index template_recommendation_of on template (template_recommendation_id) where template_recommendation_id is not null;
