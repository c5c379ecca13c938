-- The job queue makes and changes its own tables here (server/jobs).
create schema if not exists jobs;
