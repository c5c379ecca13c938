-- UDF and its keys are removed. What was done with the keys stays in the log.
drop table udf_keys;
